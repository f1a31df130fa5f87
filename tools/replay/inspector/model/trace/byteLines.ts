import { NEWLINE, goodLines, utf8Text } from '../../../read/utf8Text.ts';
import type { Bytes } from './lineTable.ts';

/** Whole lines of a capture: their bytes as they came, and their text without the last newline. */
export interface LinePiece {
  readonly bytes: Bytes;
  readonly text: string;
}

/** Cuts bytes that come in any pieces into whole lines. */
export interface ByteLines {
  /** @throws {NotUtf8Error} */
  take(bytes: Bytes): LinePiece[];
  /** What came after the last newline. */
  rest(): Bytes;
}

/** Bytes that are not UTF-8. */
export class NotUtf8Error extends Error {
  override readonly name = 'NotUtf8Error';
  /** How many good lines of the piece stand before. */
  readonly linesBefore: number;
  constructor(linesBefore: number) {
    super('is not UTF-8');
    this.linesBefore = linesBefore;
  }
}

/** The bytes are not copied, but for a line that lies across two pieces. */
export function byteLines(): ByteLines {
  let carry: Bytes[] = [];
  return {
    take(bytes) {
      const first = bytes.indexOf(NEWLINE);
      if (first === -1) {
        carry.push(bytes);
        return [];
      }
      const pieces: LinePiece[] = [];
      const start = carry.length > 0 ? first + 1 : 0;
      if (start > 0) pieces.push(pieceOf(joined([...carry, bytes.subarray(0, start)])));
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > start) pieces.push(pieceOf(bytes.subarray(start, end)));
      carry = end < bytes.length ? [bytes.subarray(end)] : [];
      return pieces;
    },
    rest: () => joined(carry),
  };
}

const pieceOf = (bytes: Bytes): LinePiece => ({ bytes, text: textOf(bytes.subarray(0, -1)) });

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @throws {NotUtf8Error} */
export function textOf(bytes: Bytes): string {
  const text = utf8Text(bytes);
  if (text === undefined) throw new NotUtf8Error(goodLines(bytes));
  return text;
}
