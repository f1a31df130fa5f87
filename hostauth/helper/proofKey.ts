import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../base/errorCode.ts';

const KEY_BYTES = 32;

/**
 * The key of the account proofs. In a runtime folder it is kept in a file that only root can read, so that sessions
 * survive a restart of the helper; without one it lives as long as the process.
 * @param runtimeFolder `RUNTIME_DIRECTORY` of systemd.
 */
export function loadProofKey(runtimeFolder: string | undefined): Buffer {
  const made = randomBytes(KEY_BYTES);
  if (!runtimeFolder) return made;
  const path = join(runtimeFolder.split(':')[0] ?? '', 'proof.key');
  try {
    writeFileSync(path, made, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const kept = readFileSync(path);
  if (kept.length === KEY_BYTES) return kept;
  // A process that was killed while it wrote left a part.
  writeFileSync(path, made, { mode: 0o600 });
  return made;
}
