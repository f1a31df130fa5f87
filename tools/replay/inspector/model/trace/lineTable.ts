import type { CaptureRecord } from '#shared/capture/format.ts';
import { type CaptureParser, captureParser } from '#shared/capture/parse.ts';
import type { Bytes } from '../../../read/lineReader.ts';
import { type GrowableColumn, growableColumn } from './growableColumn.ts';

/** Where a record's line lies: bytes of a chunk. */
export interface Place {
  readonly chunk: number;
  readonly start: number;
  readonly length: number;
}

/**
 * A capture's lines as they came: the bytes are kept, and a record is parsed again whenever somebody looks at it. A million
 * parsed records beside the state would be another half a gigabyte.
 */
export interface LineTable {
  /** The bytes of the file, whole lines each. */
  readonly chunks: Bytes[];
  /** Of each record, in order. */
  readonly chunk: GrowableColumn;
  readonly start: GrowableColumn;
  readonly bytes: GrowableColumn;
}

export const lineTable = (): LineTable => ({
  chunks: [],
  chunk: growableColumn('whole'),
  start: growableColumn('whole'),
  bytes: growableColumn('whole'),
});

/** A table of its own with the first so many lines; the bytes are the same. */
export const copyLines = ({ chunks, chunk, start, bytes }: LineTable, count: number): LineTable => ({
  chunks: [...chunks],
  chunk: chunk.copy(count),
  start: start.copy(count),
  bytes: bytes.copy(count),
});

export function addLine(lines: LineTable, place: Place): void {
  lines.chunk.push(place.chunk);
  lines.start.push(place.start);
  lines.bytes.push(place.length);
}

export function truncateLines({ chunk, start, bytes }: LineTable, count: number): void {
  for (const column of [chunk, start, bytes]) column.truncate(count);
}

export const placeOf = ({ chunk, start, bytes }: LineTable, index: number): Place => ({
  chunk: chunk.at(index),
  start: start.at(index),
  length: bytes.at(index),
});

/** What was UTF-8 when it was loaded still is. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The line of a record, without its newline. */
export function lineText(lines: LineTable, index: number): string {
  const { chunk, start, length } = placeOf(lines, index);
  return decoder.decode(lines.chunks[chunk]?.subarray(start, start + length));
}

/** Reads records again; fastest in order. */
export type RecordReader = (index: number) => CaptureRecord;

/** A reader of the lines below a header. */
export function recordReader(lines: LineTable, headerLine: string): RecordReader {
  let parser: CaptureParser | undefined;
  let last = 0;
  return (index) => {
    // A parser holds each time against the one before.
    if (parser === undefined || index < last) {
      parser = captureParser();
      parser.header(headerLine);
    }
    last = index;
    return parser.record(lineText(lines, index));
  };
}
