import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Finds a folder on the way to a path that another user could change: its owner is neither root nor the user of this
 * process, or its group or everyone can write to it. Folders that do not exist yet are ignored.
 * @param from the first folder to check.
 * @returns one line on what is wrong.
 */
export async function untrustedFolder(path: string, from: string): Promise<string | undefined> {
  const top = await realpath(from);
  const end = await realOrMissing(path);
  const owners = new Set([0, process.getuid?.()]);
  for (let at = end; ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found !== undefined) {
      if (!owners.has(found.uid)) return `${at} belongs to the user ${found.uid}: root must own it`;
      if (found.mode & 0o022)
        return `${at} can be written to by others than its owner: run \`chmod go-w ${at}\``;
    }
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** Resolves the symbolic links of a path, as far as it exists. */
async function realOrMissing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await realOrMissing(dirname(path)), path.slice(dirname(path).length));
  }
}
