import { type FileHandle, access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The folder at `path`, made with the first file. */
export function captureFolder(path: string): CaptureFolder {
  const pathOf = async (startedAt: string) => {
    for (let attempt = 1; ; attempt++) {
      const candidate = join(path, nameOf(startedAt, attempt));
      if (!(await exists(candidate))) return candidate;
    }
  };
  return {
    async create(startedAt) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      return open(await pathOf(startedAt), 'ax', 0o600);
    },
    async save(startedAt, pieces) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const to = await pathOf(startedAt);
      const temporary = `${to}.new`;
      await writeWhole(temporary, pieces);
      await rename(temporary, to);
      return to;
    },
  };
}

/** A file that could not be written whole is taken away again. */
async function writeWhole(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for (const piece of pieces) await file.appendFile(piece);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
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
