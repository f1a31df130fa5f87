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
  constructor(linesBefore: number, options?: ErrorOptions) {
    super('is not UTF-8', options);
    this.linesBefore = linesBefore;
  }
}

export const NEWLINE = 0x0a;

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

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {NotUtf8Error} */
export function textOf(bytes: Bytes): string {
  try {
    return strict.decode(bytes);
  } catch (cause) {
    throw new NotUtf8Error(goodLines(bytes), { cause });
  }
}

function goodLines(bytes: Bytes): number {
  let lines = 0;
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
    if (!isUtf8(bytes.subarray(from, end))) break;
    from = end + 1;
    lines++;
  }
  return lines;
}

function isUtf8(bytes: Bytes): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
