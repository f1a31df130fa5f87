import { readFileSync, statSync } from 'node:fs';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { errorCode } from '#shared/errorCode.ts';
import { readObject } from '../s3/readObject.ts';
import { isS3Url } from '../s3/s3Url.ts';
import { GZIP_CUT_OFF } from './captureDecoder.ts';
import { CaptureError } from './captureError.ts';
import { fileStream } from '#files/fileStream.ts';
import { type Bytes, type LinePiece, lineReader } from './lineReader.ts';
import { GZIP, type Input, STDIN, captureName, detectFormat, openStdin, startsWith } from './stdin.ts';

/** How a file is read. */
export interface ReadOptions {
  /** Is called with the number of bytes of the file that have been read so far; for progress. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

const CHUNK_BYTES = 512 * 1024;

/** A file that is being read. */
interface Reading extends ReadOptions {
  readonly path: string;
  /** The content, if it is already open. */
  readonly input?: Input | undefined;
  readonly onWarning: (warning: string) => void;
}

/**
 * Reads the lines of a file, a few pieces at a time. A gzip file that is cut off gives a warning.
 * @throws {CaptureError} when the file cannot be read, is not UTF-8, or has a line over 256 MB.
 */
export async function* capturePieces(reading: Reading): AsyncGenerator<readonly LinePiece[], void> {
  const reader = lineReader(captureName(reading.path));
  for await (const chunk of chunksOf(reading)) {
    const pieces = reader.take(chunk);
    if (pieces.length > 0) yield pieces;
  }
  const rest = reader.rest();
  if (rest !== undefined) yield [rest];
}

async function* chunksOf({ path, input, onWarning, onRead }: Reading): AsyncGenerator<Bytes, void> {
  let isGzip = false;
  try {
    const whole = readSmallFile(path);
    if (whole !== undefined) {
      onRead?.(whole.length);
      yield whole;
      return;
    }
    const opened = input ?? (path === STDIN ? await openStdin() : await openFile(path));
    const { stream } = opened;
    isGzip = opened.isZipped;
    for await (const chunk of isGzip || path.endsWith('.gz') ? unzipped(stream) : stream) {
      onRead?.(stream.bytesRead ?? 0);
      if (isBytes(chunk)) yield chunk;
    }
  } catch (error) {
    if (errorCode(error) !== 'Z_BUF_ERROR') {
      const reason = isGzip && isNoHeader(error) ? TRAILING : readErrorReason(error);
      throw new CaptureError(`${captureName(path)}: ${reason}`, { cause: error });
    }
    onWarning(`${captureName(path)}: ${GZIP_CUT_OFF}`);
  }
}

const TRAILING =
  'has other bytes after the end of its gzip data; write what is before them to a new file with gzip -dc';

/** Returns whether zlib has found no gzip header where one can begin: at the start, or after the end of gzip data. */
const isNoHeader = (error: unknown) => error instanceof Error && error.message === 'incorrect header check';

/** Reads a small file that is not gzipped at once: a stream takes several times as long. */
function readSmallFile(path: string): Bytes | undefined {
  if (path === STDIN || path.endsWith('.gz') || isS3Url(path)) return undefined;
  const file = statSync(path);
  if (!file.isFile() || file.size > CHUNK_BYTES) return undefined;
  const bytes = readFileSync(path);
  return startsWith(bytes, GZIP) ? undefined : bytes;
}

const isBytes = (chunk: unknown): chunk is Bytes => Buffer.isBuffer(chunk);

const openFile = (path: string): Promise<Input> =>
  detectFormat(
    isS3Url(path) ? Readable.from(readObject(path), { objectMode: false }) : fileStream(path, CHUNK_BYTES),
  );

/** Ends, and fails, with the file. */
const unzipped = (file: Readable): Readable =>
  pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
