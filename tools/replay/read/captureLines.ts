import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '#shared/errorCode.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { CaptureError } from './captureError.ts';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { type Input, STDIN, captureName, openStdin } from './stdin.ts';
import { NEWLINE, goodLines } from './utf8Text.ts';

/** How a file is read. */
export interface ReadOptions {
  /** Hears how many bytes of the file have been read so far; for progress. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

const CHUNK_BYTES = 512 * 1024;
/** A longer line is refused by name: it would have to stand in memory several times over. */
const LINE_BYTES = 256 * 1024 * 1024;

/** Whole lines of a part of the file. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** The number of the first. */
  readonly start: number;
  /** The last of them ends with the file and not with a newline: its recorder may have been killed. */
  readonly isTorn: boolean;
}

/** A file that is being read. */
interface Reading extends ReadOptions {
  readonly path: string;
  readonly warnings: string[];
}

/**
 * The file's lines, in batches. Ends quietly where a gzip file was cut off.
 * @throws {CaptureError} when it cannot be read, is not UTF-8, or a line is too long.
 */
export async function* captureLines({ path, warnings, onRead }: Reading): AsyncGenerator<LineBatch, void> {
  let left: Buffer[] = [];
  let start = 1;
  for await (const chunk of chunksOf({ path, warnings, onRead })) {
    const end = chunk.lastIndexOf(NEWLINE);
    left.push(end === -1 ? chunk : chunk.subarray(0, end));
    if (bytesOf(left) > LINE_BYTES) throw tooLong(path, start);
    if (end === -1) continue;
    const lines = textOf({ bytes: Buffer.concat(left), path, start }).split('\n');
    left = [chunk.subarray(end + 1)];
    yield { lines, start, isTorn: false };
    start += lines.length;
  }
  if (bytesOf(left) > 0)
    yield { lines: [tornTextOf({ bytes: Buffer.concat(left), path, start })], start, isTorn: true };
}

const bytesOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

const tooLong = (path: string, line: number) =>
  new CaptureError(`${captureName(path)}:${line}: is longer than ${LINE_BYTES / 1024 / 1024} MB`);

interface Part {
  readonly bytes: Buffer;
  readonly path: string;
  /** The number of its first line. */
  readonly start: number;
}

function textOf({ bytes, path, start }: Part): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new CaptureError(`${captureName(path)}:${start + goodLines(bytes)}: is not UTF-8`);
}

/** A line that was cut off may end within a character. */
function tornTextOf(part: Part): string {
  const text = part.bytes.toString();
  return isJson(text) ? textOf(part) : text;
}

async function* chunksOf({ path, warnings, onRead }: Reading): AsyncGenerator<Buffer, void> {
  try {
    const { stream, isZipped } = path === STDIN ? await openStdin() : openFile(path);
    for await (const chunk of isZipped ? unzipped(stream) : stream) {
      onRead?.(stream.bytesRead ?? 0);
      if (Buffer.isBuffer(chunk)) yield chunk;
    }
  } catch (error) {
    if (errorCode(error) !== 'Z_BUF_ERROR')
      throw new CaptureError(`${captureName(path)}: ${readErrorReason(error)}`, { cause: error });
    warnings.push(`${captureName(path)}: the gzip file ends too early; all before its end is used`);
  }
}

const openFile = (path: string): Input => ({
  stream: createReadStream(path, { highWaterMark: CHUNK_BYTES }),
  isZipped: path.endsWith('.gz'),
});

/** Ends, and fails, with the file. */
const unzipped = (file: Readable): Readable =>
  pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);

/** A line that was cut off is no JSON any more; one that is was written whole, and its faults are its own. */
export const isJson = (line: string): boolean => tryParseJson(line) !== undefined;
