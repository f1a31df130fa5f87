import type { CaptureRecord } from '#shared/capture/format.ts';
import { type CaptureParser, captureParser } from '#shared/capture/parse.ts';
import type { Bytes } from '../../../read/captureDecoder.ts';
import { type GrowableColumn, growableColumn } from './growableColumn.ts';

/** The position of a record's line: bytes of a chunk. */
export interface Place {
  readonly chunk: number;
  readonly start: number;
  readonly length: number;
}

/**
 * The unchanged lines of a capture. The table keeps the bytes and parses a record each time it is read, because a million parsed
 * records would need another half a gigabyte.
 */
export interface LineTable {
  /** The bytes of the file; each chunk contains complete lines. */
  readonly chunks: Bytes[];
  /** For each record, in order. */
  readonly chunk: GrowableColumn;
  readonly start: GrowableColumn;
  readonly bytes: GrowableColumn;
}

/** Creates an empty table. */
export const lineTable = (): LineTable => ({
  chunks: [],
  chunk: growableColumn('whole'),
  start: growableColumn('whole'),
  bytes: growableColumn('whole'),
});

/** Copies the first `count` lines into an independent table that shares the bytes. */
export const copyLines = ({ chunks, chunk, start, bytes }: LineTable, count: number): LineTable => ({
  chunks: [...chunks],
  chunk: chunk.copy(count),
  start: start.copy(count),
  bytes: bytes.copy(count),
});

/** Appends a line. */
export function addLine(lines: LineTable, place: Place): void {
  lines.chunk.push(place.chunk);
  lines.start.push(place.start);
  lines.bytes.push(place.length);
}

/** Removes all lines after the first `count`. */
export function truncateLines({ chunk, start, bytes }: LineTable, count: number): void {
  for (const column of [chunk, start, bytes]) column.truncate(count);
}

/** Returns the position of a line. */
export const linePlace = ({ chunk, start, bytes }: LineTable, index: number): Place => ({
  chunk: chunk.at(index),
  start: start.at(index),
  length: bytes.at(index),
});

/** Does not check for valid UTF-8: the loader already has. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the line of a record without its newline. */
export function lineText(lines: LineTable, index: number): string {
  const { chunk, start, length } = linePlace(lines, index);
  return decoder.decode(lines.chunks[chunk]?.subarray(start, start + length));
}

/** Parses the record at an index; fastest when it is called in order. */
export type RecordReader = (index: number) => CaptureRecord;

/** Creates a reader of the lines after the header. */
export function recordReader(lines: LineTable, headerLine: string): RecordReader {
  let parser: CaptureParser | undefined;
  let last = 0;
  return (index) => {
    // A parser compares each time with the previous one.
    if (parser === undefined || index < last) {
      parser = captureParser();
      parser.header(headerLine);
    }
    last = index;
    return parser.record(lineText(lines, index));
  };
}
