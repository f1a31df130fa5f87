import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../base/errorCode.ts';

const KEY_BYTES = 32;

/**
 * Loads the key of the account proofs, or creates it. In a runtime folder it is stored in a file that only root can read, so
 * that sessions survive a restart of the helper; without a folder it exists in memory only.
 * @param runtimeFolder `RUNTIME_DIRECTORY` of systemd.
 */
export function loadProofKey(runtimeFolder: string | undefined): Buffer {
  const created = randomBytes(KEY_BYTES);
  if (!runtimeFolder) return created;
  const path = join(runtimeFolder.split(':')[0] ?? '', 'proof.key');
  try {
    writeFileSync(path, created, { flag: 'wx', mode: 0o600 });
    return created;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const stored = readFileSync(path);
  if (stored.length === KEY_BYTES) return stored;
  // A process that was killed while it wrote has left a part of the key.
  writeFileSync(path, created, { mode: 0o600 });
  return created;
}
