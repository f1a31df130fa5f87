import type { CaptureRecord } from '#shared/capture/format.ts';
import { type LineTable, type RecordReader, lineText } from '../trace/lineTable.ts';
import { isFrameRecord } from '../trace/stepRow.ts';

/** Returns whether the text of a record matches. */
type RecordMatch = (index: number) => boolean;

/**
 * Returns a predicate that searches frames as they were on the wire, and the JSON of other records, ignoring case.
 */
export function textMatch(lines: LineTable, read: RecordReader, text: string): RecordMatch {
  const wanted = text.toLowerCase();
  return (index) => wireText(lines, read(index), index).toLowerCase().includes(wanted);
}

/** Returns the text of a frame as it was on the wire, or the line of another record. */
export const wireText = (lines: LineTable, record: CaptureRecord, index: number): string =>
  isFrameRecord(record) ? record.data : lineText(lines, index);
