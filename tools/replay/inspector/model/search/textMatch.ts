import type { CaptureRecord } from '#shared/capture/format.ts';
import { type LineTable, type RecordReader, lineText } from '../trace/lineTable.ts';
import { isFrameRecord } from '../trace/stepRow.ts';

/** Whether a record's text holds what is looked for. */
export type RecordMatch = (index: number) => boolean;

/**
 * Looks for a text in frames as they were on the wire, and in the JSON of other records; upper and lower case are one.
 */
export function textMatch(lines: LineTable, read: RecordReader, text: string): RecordMatch {
  const wanted = text.toLowerCase();
  return (index) => wireText(lines, read(index), index).toLowerCase().includes(wanted);
}

/** A frame's text as it was on the wire, or the record's line. */
export const wireText = (lines: LineTable, record: CaptureRecord, index: number): string =>
  isFrameRecord(record) ? record.data : lineText(lines, index);
