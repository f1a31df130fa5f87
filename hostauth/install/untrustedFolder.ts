import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Finds a folder on the way to a path that another person could change: one that neither root nor the person who runs
 * this owns, or that its group or everyone can write to. Folders that do not exist yet are not counted.
 * @param from a folder on the way, with which to start.
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

/** The path without symbolic links, up to what exists. */
async function realOrMissing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await realOrMissing(dirname(path)), path.slice(dirname(path).length));
  }
}
