import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  openSync,
  renameSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '#shared/formatText.ts';
import { type AtomicWriteOptions, TemporaryFile } from './temporaryFile.ts';

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
