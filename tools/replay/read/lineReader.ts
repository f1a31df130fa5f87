import { tryParseJson } from '#shared/tryParseJson.ts';
import { CaptureError } from './captureError.ts';

/** Bytes in memory that nothing else writes to. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Consecutive lines of a capture. */
export interface LinePiece {
  /** The lines as they were read, with their newlines. */
  readonly bytes: Bytes;
  /** The text of each line, without its newline. */
  readonly lines: readonly string[];
  /** The number of the first line, from 1. */
  readonly firstLine: number;
  /** Whether each character is one byte. */
  readonly isAscii: boolean;
  /** Whether the last line is cut off: it has no newline and is not JSON. */
  readonly isTruncated: boolean;
}

/** Cuts bytes into lines. It runs in Node and in browsers: the command line, the workers and the page use it. */
export interface LineReader {
  /**
   * Returns the lines that these bytes complete.
   * @throws {CaptureError} for a line that is not UTF-8 or longer than 256 MB; it names the line.
   */
  take(bytes: Bytes): LinePiece[];
  /**
   * Returns the last line when it has no newline yet, `undefined` when there is none. More bytes can still follow: they
   * continue this line.
   * @throws {CaptureError} when the line is complete JSON but not UTF-8.
   */
  rest(): LinePiece | undefined;
}

const NEWLINE = 0x0a;
/** A longer line is an error: it would be in memory several times. */
const LINE_BYTES = 256 * 1024 * 1024;

/**
 * Creates a reader. Bytes are copied only for a line that lies across two chunks.
 * @param name what errors call the capture.
 */
export function lineReader(name: string): LineReader {
  let carry: Bytes[] = [];
  let carried = 0;
  let line = 1;

  const pieceOf = (bytes: Bytes): LinePiece => {
    const piece = linePiece({ name, bytes, firstLine: line });
    line += piece.lines.length;
    return piece;
  };
  const carryOn = (bytes: Bytes) => {
    carry.push(bytes);
    carried += bytes.length;
    if (carried > LINE_BYTES)
      throw new CaptureError(`${name}:${line}: is longer than ${LINE_BYTES / 1024 / 1024} MB`);
  };

  return {
    take(bytes) {
      const first = bytes.indexOf(NEWLINE);
      if (first === -1) {
        carryOn(bytes);
        return [];
      }
      const pieces: LinePiece[] = [];
      const start = carry.length > 0 ? first + 1 : 0;
      if (start > 0) pieces.push(pieceOf(joined([...carry, bytes.subarray(0, start)])));
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > start) pieces.push(pieceOf(bytes.subarray(start, end)));
      carry = [];
      carried = 0;
      if (end < bytes.length) carryOn(bytes.subarray(end));
      return pieces;
    },
    rest: () => (carried === 0 ? undefined : lastPiece({ name, bytes: joined(carry), firstLine: line })),
  };
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

interface Part {
  readonly name: string;
  readonly bytes: Bytes;
  readonly firstLine: number;
}

/** @throws {CaptureError} */
function linePiece({ name, bytes, firstLine }: Part): LinePiece {
  const content = bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes;
  const text = utf8Text(content);
  if (text === undefined)
    throw new CaptureError(`${name}:${firstLine + countUtf8Lines(content)}: is not UTF-8`);
  const isAscii = text.length === content.length;
  return { bytes, lines: text.split('\n'), firstLine, isAscii, isTruncated: false };
}

const lenient = new TextDecoder();

/** Returns the last piece. A line that was cut off is not JSON, and may end within a character. */
function lastPiece(part: Part): LinePiece {
  const text = lenient.decode(part.bytes);
  if (tryParseJson(text) !== undefined) return linePiece(part);
  const { bytes, firstLine } = part;
  return { bytes, lines: [text], firstLine, isAscii: false, isTruncated: true };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; returns `undefined` when the bytes are not UTF-8. */
function utf8Text(bytes: Bytes): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns how many lines come before the first that is not UTF-8. */
function countUtf8Lines(bytes: Bytes): number {
  let lines = 0;
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
    if (utf8Text(bytes.subarray(from, end)) === undefined) break;
    from = end + 1;
    lines++;
  }
  return lines;
}

/** Returns where each line begins in the piece's bytes; the last number is one past the end of the last line's newline. */
export function lineStarts({ bytes, lines, isAscii }: LinePiece): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  for (let i = 0, start = 0; i < lines.length; i++) {
    const newline = isAscii ? start + (lines[i]?.length ?? 0) : bytes.indexOf(NEWLINE, start);
    start = (newline === -1 ? bytes.length : newline) + 1;
    starts[i + 1] = start;
  }
  return starts;
}
