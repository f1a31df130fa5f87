import { type FileHandle, access, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePiecesAtomically } from '#files/writeFileAtomically.ts';
import { codeOf } from '#shared/codeOf.ts';

/** The folder of captures: 0700, its files 0600 (contract §2). */
export interface CaptureFolder {
  /** A new file of that session's name; where it is taken, of the name with a number. */
  create(startedAt: string): Promise<FileHandle>;
  /** Writes a whole capture, piece by piece, so that it is there complete or not at all. Resolves to its path. */
  save(startedAt: string, pieces: Iterable<string>): Promise<string>;
}

/** When its session was launched, in characters that every file system takes. */
const nameOf = (startedAt: string, attempt: number) =>
  `${startedAt.replaceAll(':', '-')}${attempt === 1 ? '' : `-${attempt}`}.parley.jsonl`;

/** The folder at `path`, made with the first file. Its parent is not made: a data folder that was removed stays removed. */
export function captureFolder(path: string): CaptureFolder {
  const pathOf = async (startedAt: string) => {
    for (let attempt = 1; ; attempt++) {
      const candidate = join(path, nameOf(startedAt, attempt));
      if (!(await exists(candidate))) return candidate;
    }
  };
  return {
    async create(startedAt) {
      await makeFolder(path);
      return open(await pathOf(startedAt), 'ax', 0o600);
    },
    async save(startedAt, pieces) {
      await makeFolder(path);
      const to = await pathOf(startedAt);
      await writePiecesAtomically(to, pieces, { isExclusive: true });
      return to;
    },
  };
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!(await stat(path)).isDirectory())
      throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return false;
  }
}
