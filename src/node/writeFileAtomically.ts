import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  writeFile,
  writeFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '#shared/formatText.ts';

const writeTo: (fd: number, data: Uint8Array) => Promise<void> = promisify(writeFile);
const syncFile = promisify(fsync);

/** Short pieces are combined into writes of about this size. */
const BATCH_BYTES = 256 * 1024;

type Piece = string | Uint8Array;

/**
 * Writes a small file atomically: whenever the process or the machine stops, it contains the old text or the new one. Writes
 * a temporary file beside it, syncs and renames it, and syncs the folder. Removes the temporary file on failure.
 * @throws the system's error.
 */
export function writeFileAtomically(path: string, text: string, options: AtomicWriteOptions = {}): void {
  const file = new TemporaryFile(path, options);
  try {
    writeFileSync(file.fd, text);
    fsyncSync(file.fd);
    file.publish();
  } catch (error) {
    file.discard();
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * Writes a file of any size piece by piece, with the same guarantee as `writeFileAtomically`.
 * @throws the system's error, or the error of `pieces`.
 */
export async function writePiecesAtomically(
  path: string,
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const file = new TemporaryFile(path, options);
  try {
    for await (const batch of batches(pieces)) await writeTo(file.fd, batch);
    await syncFile(file.fd);
    file.publish();
  } catch (error) {
    file.discard();
    throw error;
  }
  syncFolder(dirname(path));
}

async function* batches(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    const buffer = Buffer.from(piece);
    batch.push(buffer);
    bytes += buffer.length;
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(batch);
}

/** The codes of folders that cannot be opened or synced (Windows, some network shares). Their renames may not be durable. */
const CANNOT_SYNC = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF']);

/** Makes the names in a folder durable, as far as the system can. */
export function syncFolder(folder: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch (error) {
    if (!CANNOT_SYNC.has(errorCode(error) ?? '')) throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Renames a corrupt file to the first free name of `….corrupt-1`, `….corrupt-2`, …; returns the new path.
 * @throws the system's error.
 */
export function quarantineFile(path: string): string {
  let number = 1;
  while (existsSync(`${path}.corrupt-${number}`)) number++;
  const quarantined = `${path}.corrupt-${number}`;
  renameSync(path, quarantined);
  return quarantined;
}

/** Matches the names of our temporary files; the next start removes files with such a name. */
export const TEMPORARY_NAME = /^\.parley-[0-9a-f]{24}\.tmp$/u;

/** Returns a random path beside `target`. The name is short, so that it fits wherever the target's name fits. */
export const temporaryPath = (target: string): string =>
  join(dirname(target), `.parley-${randomBytes(12).toString('hex')}.tmp`);

/** Options of an atomic write. */
export interface AtomicWriteOptions {
  /** The new file's mode, before the umask; 0600 by default. */
  readonly mode?: number;
  /** Fails with `EEXIST` instead of replacing an existing file. */
  readonly isExclusive?: boolean;
}

/** The open temporary files. They are removed when the process exits during a write. */
const openFiles = new Set<string>();

const removeOpenFiles = () => openFiles.forEach((file) => rmSync(file, { force: true }));

function addOpenFile(path: string): void {
  if (openFiles.size === 0) process.on('exit', removeOpenFiles);
  openFiles.add(path);
}

function deleteOpenFile(path: string): void {
  openFiles.delete(path);
  if (openFiles.size === 0) process.off('exit', removeOpenFiles);
}

/**
 * A file that is not published yet. Both forms of the atomic write use it.
 *
 *   open ── publish ──▶ published: the target is the new file
 *     └──── discard ──▶ discarded: the target is unchanged
 */
export class TemporaryFile {
  readonly fd: number;
  readonly #path: string;
  #isOpen = true;

  /**
   * Creates the file exclusively, so a link or a file at its name is never followed or reused.
   * @throws the system's error.
   */
  constructor(
    private readonly target: string,
    private readonly options: AtomicWriteOptions,
  ) {
    if (options.isExclusive) refuseExisting(target);
    this.#path = temporaryPath(target);
    this.fd = openSync(this.#path, 'wx', options.mode ?? 0o600);
    addOpenFile(this.#path);
  }

  /** Gives the file its name. The caller has written and synced it. */
  publish(): void {
    this.#close();
    if (this.options.isExclusive) renameExclusively(this.#path, this.target);
    else renameSync(this.#path, this.target);
    deleteOpenFile(this.#path);
  }

  /** Removes the file. */
  discard(): void {
    this.#close();
    rmSync(this.#path, { force: true });
    deleteOpenFile(this.#path);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.fd);
  }
}

/** File systems without hard links (FAT, some network shares) report one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Renames without replacing: a link fails when the name is taken, a rename does not. */
function renameExclusively(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error) ?? '')) throw error;
    refuseExisting(to);
    renameSync(from, to);
    return;
  }
  rmSync(from);
}

function refuseExisting(path: string): void {
  if (existsSync(path))
    throw Object.assign(new Error(`EEXIST: file already exists, '${path}'`), { code: 'EEXIST' });
}

/** The folders of a data folder in which killed programs leave files. */
const FOLDERS = ['.', 'captures'] as const;

/**
 * Removes the temporary files of killed programs in the data folder: regular files of this user with our names. The caller has the
 * folder's lock, so no program is writing them.
 */
export function removeLeftovers(dataFolder: string): void {
  for (const folder of FOLDERS) removeFiles(join(dataFolder, folder), [TEMPORARY_NAME]);
}

/** Removes the regular files of this user whose names match and that are older than `age` milliseconds. */
export function removeFiles(folder: string, names: readonly RegExp[], age = 0): void {
  for (const name of namesIn(folder)) {
    if (names.some((pattern) => pattern.test(name))) removeOwnFile(join(folder, name), age);
  }
}

function removeOwnFile(path: string, age: number): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A file of this millisecond, or of the future, has a negative age.
  if (!stats?.isFile() || (age > 0 && Date.now() - stats.mtimeMs < age)) return;
  if (process.getuid === undefined || stats.uid === process.getuid()) rmSync(path, { force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
