import { buffer } from 'node:stream/consumers';
import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import {
  type BrokenLines,
  type Bytes,
  CaptureError,
  type CaptureReader,
  GZIP_CUT_OFF,
  type LinePiece,
  captureDecoder,
  lineReader,
} from './captureDecoder.ts';
import { isHar, readHarCapture } from './readHarCapture.ts';
import { GZIP, type Input, STDIN, captureName, detectFormat, openStdin, startsWith } from './stdin.ts';
import { readFileSync, statSync } from 'node:fs';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { errorCode } from '#shared/formatText.ts';
import { isS3Url, readObject } from './s3.ts';
import { fileStream } from '#node/fileStream.ts';

interface Options extends ReadOptions {
  /** What happens at a line in the middle that cannot be used; by default an error. */
  readonly brokenLines?: BrokenLines;
}

/**
 * Opens a capture, plain or gzipped, or a HAR that contains one WebSocket, and reads its header. `-` is stdin, which may also be a zip.
 * @throws {CaptureError} when the file cannot be read or its header cannot be used.
 */
export async function readCapture(
  path: string,
  { onRead, brokenLines }: Options = {},
): Promise<CaptureReader> {
  if (isHar(path)) return readHarCapture(path);
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  const input = path === STDIN ? await openStdin() : undefined;
  if (input?.isArchive) return readHarCapture(path, { bytes: await buffer(input.stream) });
  const decoder = captureDecoder({ name: captureName(path), onWarning, brokenLines });
  const parts = capturePieces({ path, input, onWarning, onRead });
  const { value: first } = await parts.next();
  const [start] = first ?? [];
  if (first === undefined || start === undefined) throw new CaptureError(`${captureName(path)}: is empty`);
  // Stdin has no file name that says so.
  if (path === STDIN && isHarText(first))
    return readHarCapture(path, { bytes: Buffer.from(await textOf(first, parts)) });

  const recordsOf = (pieces: readonly LinePiece[]): CaptureRecord[] => {
    const batch: CaptureRecord[] = [];
    for (const piece of pieces) decoder.records(piece, (record) => void batch.push(record));
    return batch;
  };
  async function* records() {
    try {
      yield recordsOf(first ?? []);
      for await (const pieces of parts) {
        if (decoder.isOver()) return;
        yield recordsOf(pieces);
      }
    } finally {
      await parts.return();
    }
  }
  try {
    return { header: decoder.header(start).header, records, warnings };
  } catch (error) {
    // The records will not be read: close the file.
    await parts.return();
    throw error;
  }
}

const linesOf = (pieces: readonly LinePiece[]): string[] => pieces.flatMap(({ lines }) => lines);

/** Returns whether the first lines begin a HAR, which may be indented. */
const isHarText = (pieces: readonly LinePiece[]): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(linesOf(pieces).slice(0, 10).join('\n'));

async function textOf(
  first: readonly LinePiece[],
  rest: AsyncIterable<readonly LinePiece[]>,
): Promise<string> {
  const lines = linesOf(first);
  for await (const pieces of rest) for (const line of linesOf(pieces)) lines.push(line);
  return lines.join('\n');
}

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

/** A complete capture in memory, for code that needs more than a stream of records. */
export interface Capture {
  /** Its path, or `stdin`. */
  readonly path: string;
  readonly header: CaptureHeader;
  /** In the form of the current version, whatever version the file has. */
  readonly records: readonly CaptureRecord[];
  /** Problems that do not prevent the use of the capture. */
  readonly warnings: readonly string[];
}

/**
 * Reads a capture into memory.
 * @throws {CaptureError} when it cannot be read.
 */
export async function loadCapture(path: string): Promise<Capture> {
  const reader = await readCapture(path);
  const records: CaptureRecord[] = [];
  for await (const batch of reader.records()) for (const record of batch) records.push(record);
  return { path: captureName(path), header: reader.header, records, warnings: reader.warnings };
}
