import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type CaptureParser, captureParser } from '#shared/capture/parseCapture.ts';
import type { Bytes } from '../../../read/captureDecoder.ts';
import { type GrowableColumn, copyColumns, growableColumn } from './columns.ts';

/** The position of a record's line: bytes of a chunk. */
interface Place {
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
  /** The {@link Place} of each record, in order. */
  readonly places: Readonly<Record<keyof Place, GrowableColumn>>;
}

/** Creates an empty table. */
export const lineTable = (): LineTable => ({
  chunks: [],
  places: { chunk: growableColumn('whole'), start: growableColumn('whole'), length: growableColumn('whole') },
});

/** Copies a table into an independent one that shares the bytes. */
export const copyLines = ({ chunks, places }: LineTable): LineTable => ({
  chunks: [...chunks],
  places: copyColumns(places),
});

/** Returns the number of lines. */
export const lineCount = ({ places }: LineTable): number => places.chunk.length;

/** Appends a line. */
export function addLine({ places }: LineTable, { chunk, start, length }: Place): void {
  places.chunk.push(chunk);
  places.start.push(start);
  places.length.push(length);
}

/** Appends the line of a record that the capture does not contain. */
export function addRecord(lines: LineTable, record: CaptureRecord): void {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  addLine(lines, { chunk: lines.chunks.length, start: 0, length: bytes.length });
  lines.chunks.push(bytes);
}

/** Returns the position of a line. */
export const linePlace = ({ places }: LineTable, index: number): Place => ({
  chunk: places.chunk.at(index),
  start: places.start.at(index),
  length: places.length.at(index),
});

/** Returns the bytes of a line, without its newline. */
export function lineBytes(lines: LineTable, index: number): Bytes {
  const { chunk, start, length } = linePlace(lines, index);
  return lines.chunks[chunk]?.subarray(start, start + length) ?? new Uint8Array();
}

/** Does not check for valid UTF-8: the loader already has. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the line of a record without its newline. */
export const lineText = (lines: LineTable, index: number): string => decoder.decode(lineBytes(lines, index));

/** Parses the record at an index; fastest when it is called in order. */
export type RecordReader = (index: number) => CaptureRecord;

/** Creates a reader of the lines after the header. */
export function recordReader(lines: LineTable, headerLine: string): RecordReader {
  let parser: CaptureParser | undefined;
  let last: { readonly index: number; readonly record: CaptureRecord } | undefined;
  return (index) => {
    if (last?.index === index) return last.record;
    // A parser compares each time with the previous one.
    if (parser === undefined || last === undefined || index < last.index) {
      parser = captureParser();
      parser.header(headerLine);
    }
    last = { index, record: parser.record(lineText(lines, index)) };
    return last.record;
  };
}

const NEWLINE = new Uint8Array([0x0a]);

/** Writes a capture as a file: the header, then the unchanged lines. */
export function saveLines({ chunks, places: { chunk, start, length } }: LineTable, headerLine: string): Blob {
  const parts: BlobPart[] = [`${headerLine.trimEnd()}\n`];
  for (let i = 0; i < chunk.length;) {
    const [from, bytes] = [start.at(i), chunks[chunk.at(i)]];
    let end = from + length.at(i);
    // Adjacent lines of the file are copied together.
    for (i++; i < chunk.length && chunks[chunk.at(i)] === bytes && start.at(i) === end + 1; i++) {
      end += 1 + length.at(i);
    }
    if (bytes !== undefined) parts.push(bytes.subarray(from, end), NEWLINE);
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}
