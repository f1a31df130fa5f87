/**
 * Files that we install in an administrator's folders. The first line of each has the hash of the others, so that an
 * unchanged file can be replaced by a newer one and a changed file is kept.
 *
 *   none ──put──▶ ours ──put, newer──▶ ours         installed, updated, or unchanged
 *                  │ ▲
 *        an editor ▼ │ put --force (the changed file is kept as .bak: replaced)
 *                changed ──put──▶ changed           kept
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../base/errors.ts';

/** What `putFile` did. */
type PutResult = 'installed' | 'unchanged' | 'updated' | 'replaced' | 'kept';
/** What `removeFile` did. */
type RemoveResult = 'removed' | 'absent' | 'replaced' | 'kept';

const MODE = 0o644;
const STAMP = /^# Put here by Parley's `hostauth install`; sha256 of what follows: ([0-9a-f]{64})\n/;

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const stamped = (text: string): string =>
  `# Put here by Parley's \`hostauth install\`; sha256 of what follows: ${hash(text)}\n${text}`;

/** Returns whether a file is unchanged since a version of hostauth installed it. */
function isOurs(file: string): boolean {
  const [first = '', digest] = STAMP.exec(file) ?? [];
  return digest === hash(file.slice(first.length));
}

/** Installs a file, whole or not at all. */
export async function putFile(path: string, text: string, { force }: { force: boolean }): Promise<PutResult> {
  const before = await read(path);
  if (before === stamped(text)) return 'unchanged';
  const isChanged = before !== undefined && !isOurs(before);
  if (isChanged && !force) return 'kept';
  if (isChanged) await rename(path, backupPath(path));
  await write(path, stamped(text));
  if (isChanged) return 'replaced';
  return before === undefined ? 'installed' : 'updated';
}

/** Removes an installed file. */
export async function removeFile(path: string, { force }: { force: boolean }): Promise<RemoveResult> {
  const before = await read(path);
  if (before === undefined) return 'absent';
  if (isOurs(before)) {
    await rm(path);
    return 'removed';
  }
  if (!force) return 'kept';
  await rename(path, backupPath(path));
  return 'replaced';
}

/** Returns the path at which a changed file is kept. */
export const backupPath = (path: string): string => `${path}.bak`;

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // PAM and systemd ignore this name. It cannot be guessed, and a link there is not followed.
  const unfinished = `${path}.~${randomBytes(12).toString('hex')}`;
  try {
    await writeFile(unfinished, text, { flag: 'wx' });
    await chmod(unfinished, MODE);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
