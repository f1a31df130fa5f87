import { access, lstat, mkdir, open, readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writePiecesAtomically } from '#node/writeFileAtomically.ts';
import { errorCode } from '#shared/formatText.ts';
import type { AppendHandle } from './captureFile.ts';

/** The folder of captures. */
export type CaptureFolder = ReturnType<typeof captureFolder>;

/** A capture in the folder. */
export interface CaptureEntry {
  readonly path: string;
  readonly bytes: number;
  /** When the last record was written, in milliseconds since 1970. */
  readonly writtenAt: number;
  /** Whether Parley recorded it by itself (`PARLEY_CAPTURE`). Other captures were saved or copied by a person. */
  readonly isRecording: boolean;
  /** Whether it is being written now. */
  readonly isOpen: boolean;
}

/** The mark in the names of recordings: they are deleted when they are old; saved captures are not. */
const RECORDED = '-recorded';
const RECORDING_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-recorded(?:-\d+)?\.parley\.jsonl$/;
const CAPTURE_NAME = /\.parley\.jsonl(?:\.gz)?$/;

/** Returns a name from the time of the launch, in portable characters, with a number from the second attempt on. */
const nameOf = (startedAt: string, mark: string, attempt: number) =>
  `${startedAt.replaceAll(':', '-')}${mark}${attempt === 1 ? '' : `-${attempt}`}.parley.jsonl`;

/** Returns the folder of captures at `path`: 0700, its files 0600 (contract §2). The first file creates it, but not its parent: a removed data folder stays removed. */
export function captureFolder(path: string) {
  const openPaths = new Set<string>();
  const pathOf = async (startedAt: string, mark: string) => {
    for (let attempt = 1; ; attempt++) {
      const candidate = join(path, nameOf(startedAt, mark, attempt));
      if (!(await exists(candidate))) return candidate;
    }
  };
  return {
    /** Creates a file named after the session's start; appends a number when the name is taken. */
    async create(startedAt: string): Promise<AppendHandle> {
      await makeFolder(path);
      const to = await pathOf(startedAt, RECORDED);
      const file = await open(to, 'ax', 0o600);
      openPaths.add(to);
      return {
        appendFile: file.appendFile.bind(file),
        truncate: file.truncate.bind(file),
        close: () => file.close().finally(() => openPaths.delete(to)),
      };
    },
    /** Writes a capture atomically, piece by piece. Resolves to its path. */
    async save(startedAt: string, pieces: Iterable<string>): Promise<string> {
      await makeFolder(path);
      const to = await pathOf(startedAt, '');
      await writePiecesAtomically(to, pieces, { isExclusive: true });
      return to;
    },
    /** Moves a capture of the same disk into the folder. Resolves to its path. */
    async adopt(from: string, startedAt: string): Promise<string> {
      await makeFolder(path);
      const to = await pathOf(startedAt, '');
      await rename(from, to);
      return to;
    },
    /** Lists every capture in the folder; none when there is no folder. Other files are skipped. */
    async list(): Promise<CaptureEntry[]> {
      const names = (await namesIn(path)).filter((name) => CAPTURE_NAME.test(name));
      const entries = await Promise.all(names.map((name) => entryOf(join(path, name))));
      return entries.flatMap((entry) =>
        entry === undefined ? [] : [Object.assign(entry, { isOpen: openPaths.has(entry.path) })],
      );
    },
  };
}

/** Returns a capture's entry; `undefined` when it is not a file, or was removed meanwhile. Links are not followed. */
async function entryOf(path: string): Promise<Omit<CaptureEntry, 'isOpen'> | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  const isRecording = RECORDING_NAME.test(basename(path));
  return { path, bytes: stats.size, writtenAt: stats.mtimeMs, isRecording };
}

/** @throws the system's error, unless the folder does not exist. */
async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if (!(await stat(path)).isDirectory())
      throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return false;
  }
}
