import { open, realpath, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileErrorReason } from '#files/fileErrorReason.ts';
import { writePiecesAtomically } from '#files/writeFileAtomically.ts';
import { errorCode } from '#shared/errorCode.ts';
import { UsageError } from './errors.ts';

/** The error about an output file that exists. */
export const EXISTS = 'already exists; overwrite it with --force, or name another file with -o';

/** Returns whether writing to a path replaces a file. A device or a pipe is not replaced. */
export const isReplaced = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true;

interface OutputFile {
  /** Gzipped when it ends in `.gz`. */
  readonly path: string;
  readonly pieces: AsyncIterable<string>;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/**
 * Writes a text file, readable by its owner only, completely or not at all. Follows a link. Writes directly to a device or
 * a pipe.
 * @throws {UsageError} when the file cannot be written; also throws every error of the pieces.
 */
export async function writeOutput({ path, pieces, force }: OutputFile): Promise<void> {
  const content = path.endsWith('.gz') ? gzipped(pieces) : pieces;
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => undefined);
    if (existing === undefined || existing.isFile())
      await writePiecesAtomically(target, content, { isExclusive: !force });
    else await pipeline(Readable.from(content), (await open(target, 'w')).createWriteStream());
  } catch (error) {
    const reason = writeErrorReason(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  }
}

/** Gzips the pieces. An error of the pieces destroys the stream, so it reaches the reader. */
function gzipped(pieces: AsyncIterable<string>): AsyncIterable<Uint8Array> {
  const gzip = createGzip();
  pipeline(Readable.from(pieces), gzip).catch((error: Error) => gzip.destroy(error));
  return gzip;
}

/** Returns in words why a file cannot be written; `undefined` when the error is not about the file. */
export function writeErrorReason(error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  if (code === 'EEXIST') return EXISTS;
  return /^E[A-Z]+$/.test(code) ? `cannot be written: ${fileErrorReason(error)}` : undefined;
}
