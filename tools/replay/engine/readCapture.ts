import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { CaptureLineError, type CaptureParser, captureParser } from '#shared/capture/parse.ts';

/** A capture that cannot be used. `message` is one line that names the file, and the line where there is one. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

/** A capture as it is read: its header, then its records, a batch for each part of the file. */
export interface CaptureReader {
  readonly header: CaptureHeader;
  /**
   * The records in order, once.
   * @throws {CaptureError} at the first line that cannot be used.
   */
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** What was wrong and could be lived with; complete when the records are through. */
  readonly warnings: readonly string[];
}

const CHUNK_BYTES = 512 * 1024;
const NEWLINE = 0x0a;

/**
 * Opens a capture, plain or gzipped, and reads its header.
 * @throws {CaptureError} when the file cannot be read or its header cannot be used.
 */
export async function readCapture(path: string): Promise<CaptureReader> {
  const warnings: string[] = [];
  const parser = captureParser();
  const lines = linesOf(path, warnings);
  const first = await lines.next();
  const batch = first.done ? undefined : first.value;
  if (batch === undefined) throw new CaptureError(`${path}: is empty`);
  const header = atLine({ path, number: 1, parse: () => parser.header(batch.lines[0] ?? '') });
  const rest = { ...batch, lines: batch.lines.slice(1), start: 2 };

  async function* records() {
    yield parseBatch({ batch: rest, path, parser, warnings });
    for await (const next of lines) yield parseBatch({ batch: next, path, parser, warnings });
  }
  return { header, records, warnings };
}

/** Whole lines of a part of the file. */
interface LineBatch {
  readonly lines: readonly string[];
  /** The number of the first. */
  readonly start: number;
  /** The last of them ends with the file and not with a newline: its recorder may have been killed. */
  readonly isTorn: boolean;
}

interface Parsing {
  readonly batch: LineBatch;
  readonly path: string;
  readonly parser: CaptureParser;
  readonly warnings: string[];
}

function parseBatch({ batch, path, parser, warnings }: Parsing): CaptureRecord[] {
  const { lines, start, isTorn } = batch;
  const records: CaptureRecord[] = [];
  for (let i = 0; i < lines.length; i++) {
    try {
      records.push(parser.record(lines[i] ?? ''));
    } catch (error) {
      if (!(error instanceof CaptureLineError)) throw error;
      const message = `${path}:${start + i}: ${error.message}`;
      if (!isTorn || i < lines.length - 1) throw new CaptureError(message, { cause: error });
      warnings.push(`${message}; the recorder was stopped in the middle of it, and all before it is used`);
    }
  }
  return records;
}

/** The file's lines, in batches. Ends quietly where a gzip file was cut off. */
async function* linesOf(path: string, warnings: string[]): AsyncGenerator<LineBatch, void> {
  let left: Buffer = Buffer.alloc(0);
  let start = 1;
  for await (const chunk of chunksOf(path, warnings)) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end === -1) {
      left = Buffer.concat([left, chunk]);
      continue;
    }
    const lines = textOf({ bytes: Buffer.concat([left, chunk.subarray(0, end)]), path, start }).split('\n');
    left = chunk.subarray(end + 1);
    yield { lines, start, isTorn: false };
    start += lines.length;
  }
  if (left.length > 0) yield { lines: [textOf({ bytes: left, path, start })], start, isTorn: true };
}

function textOf({ bytes, path, start }: { bytes: Buffer; path: string; start: number }): string {
  const text = bytes.toString();
  if (!isUtf8(bytes)) {
    const line = text.split('\n').findIndex((part) => part.includes('\uFFFD'));
    throw new CaptureError(`${path}:${start + line}: is not UTF-8`);
  }
  return text;
}

async function* chunksOf(path: string, warnings: string[]): AsyncGenerator<Buffer, void> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const stream: Readable = path.endsWith('.gz') ? unzipped(file) : file;
  try {
    for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    if (codeOf(error) !== 'Z_BUF_ERROR')
      throw new CaptureError(`${path}: ${reasonOf(error)}`, { cause: error });
    warnings.push(`${path}: the gzip file ends too early; all before its end is used`);
  }
}

function unzipped(file: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

/** What the system says of a file, in words. */
function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'may not be read';
    case 'EISDIR':
      return 'is a folder';
    case 'Z_DATA_ERROR':
      return 'is not a gzip file, or a broken one';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function atLine<T>({ path, number, parse }: { path: string; number: number; parse: () => T }): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof CaptureLineError)) throw error;
    throw new CaptureError(`${path}:${number}: ${error.message}`, { cause: error });
  }
}
