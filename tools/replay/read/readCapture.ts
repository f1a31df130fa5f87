import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import {
  type BrokenLines,
  CaptureError,
  type CaptureReader,
  GZIP_CUT_OFF,
  type LinePiece,
  type LinePlace,
  captureDecoder,
  lineReader,
} from './captureDecoder.ts';
import { type Chunks, type ReadOptions, ZIP, isHar, peek, readBytes } from './readBytes.ts';
import { readHarCapture } from './readHarCapture.ts';
import { STDIN, captureName } from './stdin.ts';

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
  const name = captureName(path);
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  let bytes = readBytes(path, { onRead, onCutOff: () => onWarning(`${name}: ${GZIP_CUT_OFF}`) });
  if (path === STDIN) {
    const { start, all } = await peek(bytes, HAR_START_BYTES);
    if (startsHar(Buffer.from(start).toString())) return readHarCapture(path, {}, all);
    bytes = all;
  }
  const decoder = captureDecoder({ name, onWarning, brokenLines });
  const pieces = capturePieces(name, bytes);
  const { value: first } = await pieces.next();
  if (first === undefined) throw new CaptureError(`${name}: is empty`);
  let placeOf = placesIn(first, []);
  async function* records() {
    try {
      let piece: LinePiece | void = first;
      while (piece !== undefined && !decoder.isOver()) {
        const batch: CaptureRecord[] = [];
        const lines: number[] = [];
        decoder.records(piece, (record, line) => {
          batch.push(record);
          lines.push(line);
        });
        placeOf = placesIn(piece, lines);
        yield batch;
        piece = (await pieces.next()).value;
      }
    } finally {
      await pieces.return();
    }
  }
  try {
    const { header } = decoder.header(first);
    return { header, records, places: () => placeOf, warnings };
  } catch (error) {
    // The records will not be read: close the file.
    await pieces.return();
    throw error;
  }
}

/** Returns a function that returns the places of records, fastest for indexes in order. @param recordLines the index of each record's line in the piece. */
function placesIn({ lines, firstLine, offset: start }: LinePiece, recordLines: readonly number[]) {
  let next = 0;
  let offset = start;
  return (index: number): LinePlace => {
    const at = recordLines[index] ?? 0;
    if (at < next) [next, offset] = [0, start];
    while (next < at) offset += Buffer.byteLength(lines[next++] ?? '') + 1;
    return { line: firstLine + at, offset };
  };
}

/** Returns whether a text begins a HAR or a zip: stdin has no file name that says so. The header of a capture is longer. */
const startsHar = (text: string) => text.startsWith(ZIP) || /^\uFEFF?\s*\{\s*"log"\s*:/.test(text);
const HAR_START_BYTES = 64;

/**
 * Cuts the bytes of a capture into lines, some at a time.
 * @param name what errors call the capture.
 * @throws {CaptureError} for a line that is not UTF-8 or over 256 MB.
 */
export async function* capturePieces(name: string, bytes: Chunks): AsyncGenerator<LinePiece, void> {
  const reader = lineReader(name);
  for await (const chunk of bytes) yield* reader.take(chunk);
  const rest = reader.rest();
  if (rest !== undefined) yield rest;
}

/** A complete capture in memory, in the form of the current version, for code that needs more than a stream of records. */
export interface Capture extends Omit<CaptureReader, 'records' | 'places'> {
  /** Its path, or `stdin`. */
  readonly path: string;
  readonly records: readonly CaptureRecord[];
}

/**
 * Reads a capture into memory.
 * @throws {CaptureError} when it cannot be read.
 */
export async function loadCapture(path: string): Promise<Capture> {
  const { header, records: batches, warnings } = await readCapture(path);
  const records: CaptureRecord[] = [];
  for await (const batch of batches()) for (const record of batch) records.push(record);
  return { path: captureName(path), header, records, warnings };
}
