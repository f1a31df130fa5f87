import type { CaptureHeader, KnownRecord } from './format.ts';

/** Returns a capture's first line, with its newline. */
export const headerLine = ({ format, version, startedAt, app }: CaptureHeader): string =>
  `${JSON.stringify({ format, version, startedAt, app })}\n`;

/** Returns a record's line, with its newline; returns a gap when escaping makes the line longer than the maximum length of a string. */
export function recordLine(record: KnownRecord): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (error) {
    // The line is longer than the maximum length of a string.
    if (error instanceof RangeError) return gapLine(record.t, 1);
    throw error;
  }
}

/** Returns the line that replaces `lost` records. Readers skip it. */
export const gapLine = (t: number, lost: number): string => `${JSON.stringify({ t, type: 'gap', lost })}\n`;

/** Lines are joined up to this many characters. */
const PIECE_LENGTH = 256 * 1024;

/** Joins lines into pieces, each of which is written at once. A long line becomes a piece of its own. */
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
