import { readFileSync, statSync } from 'node:fs';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { fileStream } from '#node/fileStream.ts';
import { errorCode } from '#shared/formatText.ts';
import { type Bytes, CaptureError } from './captureDecoder.ts';
import { isS3Url, readObject } from './s3.ts';
import { STDIN, captureName } from './stdin.ts';

/** Bytes in parts. */
export type Chunks = AsyncGenerator<Bytes, void>;

/** How a source is read. */
export interface ReadOptions {
  /** Is called with the number of bytes of the source that have been read so far; for progress. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

interface Options extends ReadOptions {
  /** Is called when gzip data has no end; by default, that is an error. */
  readonly onCutOff?: () => void;
}

/** The first bytes of a zip. */
export const ZIP = 'PK\u0003\u0004';

/** Returns whether a path names a HAR, plain, gzipped or in a zip. */
export const isHar = (path: string): boolean => /\.(?:har|har\.gz|zip)$/i.test(path);

/**
 * Reads a file, an object of an S3-compatible store, or with `-` stdin. Decompresses gzip, which it detects by the first bytes.
 * @throws {CaptureError} when it cannot be read.
 */
export async function* readBytes(path: string, { onRead, onCutOff }: Options = {}): Chunks {
  let source: ReturnType<typeof openSource> = [];
  let isGzip = false;
  try {
    source = openSource(path);
    const { start, all } = await peek(rawBytes(source, onRead), GZIP.length);
    isGzip = GZIP.every((byte, i) => start[i] === byte);
    const mustBeGzip = path.endsWith('.gz') && !isHar(path) && start.length > 0;
    // The decompression ends, and fails, with the source.
    const unzipped = () => pipeline(all, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
    for await (const chunk of isGzip || mustBeGzip ? unzipped() : all) if (isBytes(chunk)) yield chunk;
  } catch (error) {
    const isCutOff = errorCode(error) === 'Z_BUF_ERROR';
    const reason = isGzip && isNoHeader(error) ? TRAILING : readErrorReason(error);
    if (!isCutOff || onCutOff === undefined)
      throw new CaptureError(`${captureName(path)}: ${isCutOff ? GZIP_ENDS : reason}`, { cause: error });
    onCutOff();
  } finally {
    // A decompression that ends early still waits for the next bytes.
    if (source instanceof Readable) source.destroy();
  }
}

/** With larger parts, the records of a part outlive a collection of garbage and are copied. */
const CHUNK_BYTES = 128 * 1024;
/** The first bytes of gzip. */
const GZIP = [0x1f, 0x8b];
const GZIP_ENDS = 'the gzip file ends too early';
const TRAILING =
  'has other bytes after the end of its gzip data; write what is before them to a new file with gzip -dc';

const isBytes = (chunk: unknown): chunk is Bytes => Buffer.isBuffer(chunk);

/** Returns whether zlib has found no gzip header where one can begin: at the start, or after the end of gzip data. */
const isNoHeader = (error: unknown) => error instanceof Error && error.message === 'incorrect header check';

async function* rawBytes(source: ReturnType<typeof openSource>, onRead: Options['onRead']): Chunks {
  let read = 0;
  for await (const chunk of source) {
    if (!isBytes(chunk)) continue;
    read += chunk.length;
    onRead?.(read);
    yield chunk;
  }
}

/** Opens a source. A small file is read at once: a stream takes several times as long. */
function openSource(path: string): Iterable<unknown> | AsyncIterable<unknown> {
  if (path === STDIN) return process.stdin;
  if (isS3Url(path)) return readObject(path);
  const file = statSync(path);
  return file.isFile() && file.size <= CHUNK_BYTES ? [readFileSync(path)] : fileStream(path, CHUNK_BYTES);
}

/** Reads at least `length` bytes, if there are as many; returns them, and all bytes, which must then be read. */
export async function peek(chunks: Chunks, length: number): Promise<{ start: Bytes; all: Chunks }> {
  let start: Bytes = Buffer.alloc(0);
  for (let next = await chunks.next(); next.value !== undefined;) {
    start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
    if (start.length >= length) break;
    next = await chunks.next();
  }
  async function* all() {
    try {
      if (start.length > 0) yield start;
      yield* chunks;
    } finally {
      await chunks.return();
    }
  }
  return { start, all: all() };
}
