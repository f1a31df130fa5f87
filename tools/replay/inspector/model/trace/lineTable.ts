import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type CaptureParser, captureParser } from '#shared/capture/parseCapture.ts';
import type { Bytes } from '../../../read/captureDecoder.ts';
import type { Column } from './columns.ts';

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
  readonly headerLine: string;
  /** The bytes of the file; each chunk contains complete lines. */
  readonly chunks: Bytes[];
  /** The {@link Place} of each record, in order. */
  readonly lines: Readonly<Record<keyof Place, Column>>;
}

/** Returns the number of records. */
export const lineCount = ({ lines }: LineTable): number => lines.chunk.length;

/** Appends a line. */
export function addLine({ lines }: LineTable, { chunk, start, length }: Place): void {
  lines.chunk.push(chunk);
  lines.start.push(start);
  lines.length.push(length);
}

/** Appends the line of a record that the capture does not contain. */
export function addRecord(table: LineTable, record: CaptureRecord): void {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  addLine(table, { chunk: table.chunks.length, start: 0, length: bytes.length });
  table.chunks.push(bytes);
}

/** Returns the position of a line. */
export const linePlace = ({ lines }: LineTable, index: number): Place => ({
  chunk: lines.chunk.at(index),
  start: lines.start.at(index),
  length: lines.length.at(index),
});

/** Returns the bytes of a line, without its newline. */
export function lineBytes(table: LineTable, index: number): Bytes {
  const { chunk, start, length } = linePlace(table, index);
  return table.chunks[chunk]?.subarray(start, start + length) ?? new Uint8Array();
}

/** Does not check for valid UTF-8: the loader already has. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns the line of a record without its newline. */
export const lineText = (table: LineTable, index: number): string => decoder.decode(lineBytes(table, index));

/** Parses the record at an index; fastest when it is called in order. */
export type RecordReader = (index: number) => CaptureRecord;

/** Creates a reader of the records. */
export function recordReader(table: LineTable): RecordReader {
  let parser: CaptureParser | undefined;
  let last: { readonly index: number; readonly record: CaptureRecord } | undefined;
  return (index) => {
    if (last?.index === index) return last.record;
    // A parser compares each time with the previous one.
    if (parser === undefined || last === undefined || index < last.index) {
      parser = captureParser();
      parser.header(table.headerLine);
    }
    last = { index, record: parser.record(lineText(table, index)) };
    return last.record;
  };
}

/** Writes a capture as a file: the header, then the unchanged lines. */
export function saveLines({ headerLine, chunks, lines: { chunk, start, length } }: LineTable): Blob {
  const parts: BlobPart[] = [`${headerLine.trimEnd()}\n`];
  for (let i = 0; i < chunk.length;) {
    const [from, bytes] = [start.at(i), chunks[chunk.at(i)]];
    let end = from + length.at(i);
    // Adjacent lines of the file are copied together.
    for (i++; i < chunk.length && chunks[chunk.at(i)] === bytes && start.at(i) === end + 1; i++)
      end += 1 + length.at(i);
    if (bytes !== undefined) parts.push(bytes.subarray(from, end), '\n');
  }
  return new Blob(parts, { type: 'application/x-ndjson' });
}
