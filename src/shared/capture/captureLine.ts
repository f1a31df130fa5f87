import type { CaptureHeader, KnownRecord } from './format.ts';

/** A capture's first line, its newline with it. */
export const headerLine = ({ format, version, startedAt, app }: CaptureHeader): string =>
  `${JSON.stringify({ format, version, startedAt, app })}\n`;

/** A record's line, its newline with it; that of a gap when escaping makes the line longer than a string can be. */
export function recordLine(record: KnownRecord): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (error) {
    // The line would be longer than a string can be.
    if (error instanceof RangeError) return gapLine(record.t, 1);
    throw error;
  }
}

/** The line in place of `lost` records: readers skip it. */
export const gapLine = (t: number, lost: number): string => `${JSON.stringify({ t, type: 'gap', lost })}\n`;

/** Lines are joined up to this many characters. */
const PIECE_LENGTH = 256 * 1024;

/** Joins lines into pieces that are written one by one. A long line is a piece of its own. */
export function* inPieces(lines: Iterable<string>): Generator<string, void> {
  let piece = '';
  for (const line of lines) {
    if (piece !== '' && piece.length + line.length > PIECE_LENGTH) {
      yield piece;
      piece = '';
    }
    piece += line;
  }
  if (piece !== '') yield piece;
}
