import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import { CaptureLineError, TimeOrderError, captureParser } from '#shared/capture/parseCapture.ts';
import { tryParseJson } from '#shared/json.ts';

/**
 * What happens at a line in the middle that cannot be used: an error; the line is skipped, with a warning; or it is the end, with a warning, if any
 * record is before it.
 */
export type BrokenLines = 'error' | 'skipped' | 'end';

interface DecoderOptions {
  /** What errors and warnings call the capture. */
  readonly name: string;
  readonly onWarning: (warning: string) => void;
  readonly brokenLines?: BrokenLines | undefined;
}

/** Creates a decoder of the lines of one capture (contract §6). It runs in Node and in browsers, as `lineReader` does. */
export function captureDecoder({ name, onWarning, brokenLines = 'error' }: DecoderOptions) {
  const parser = captureParser();
  let hasRecords = false;
  let isOver = false;
  return {
    /**
     * Decodes line 1.
     * @throws {CaptureError} when it is not a header that this version can use.
     */
    header({ lines }: LinePiece): { readonly header: CaptureHeader; readonly line: string } {
      const line = (lines[0] ?? '').replace(/^\uFEFF/, '');
      try {
        return { header: parser.header(line), line };
      } catch (error) {
        throw located(`${name}:1`, error);
      }
    },
    /**
     * Decodes the records of a piece, which must come in order. `onRecord` also gets the index of the record's line in the piece. Skips line 1,
     * blank lines, and a truncated last line, with a warning.
     * @throws {CaptureError} at the first line that cannot be used.
     */
    records(
      { lines, firstLine, isTruncated }: LinePiece,
      onRecord: (record: CaptureRecord, index: number) => void,
    ): void {
      for (let i = firstLine === 1 ? 1 : 0; i < lines.length && !isOver; i++) {
        const line = lines[i] ?? '';
        if (isBlank(line)) continue;
        try {
          onRecord(parser.record(line), i);
          hasRecords = true;
        } catch (error) {
          const problem = located(`${name}:${firstLine + i}`, error);
          if (isTruncated && i === lines.length - 1) onWarning(`${problem.message}; ${CUT_OFF}`);
          else if (brokenLines === 'skipped') onWarning(`${problem.message}; this line is skipped`);
          else if (brokenLines === 'end' && hasRecords) {
            isOver = true;
            onWarning(`${problem.message}; only what is before it is used`);
          } else throw withAdvice(problem, firstLine + i - 1);
        }
      }
    },
    /** Returns whether a broken line was the end of what is used: further pieces are ignored. */
    isOver: () => isOver,
  };
}

/** Records start with a brace, so that most lines are not searched. */
const isBlank = (line: string) => line[0] !== '{' && line.trim() === '';

const CUT_OFF = 'the recorder was stopped in the middle of it, and all before it is used';

/** Adds to an error about the order of times how to get the part of the capture before it. */
function withAdvice(problem: CaptureError, linesBefore: number): CaptureError {
  if (!(problem.cause instanceof TimeOrderError)) return problem;
  const advice = `its first ${linesBefore} lines can be used: head -n ${linesBefore}`;
  return new CaptureError(`${problem.message}; ${advice}`, problem);
}

/** The warning about a gzip file that has no end. */
export const GZIP_CUT_OFF = 'the gzip file ends too early; all before its end is used';

/** Adds file and line to an error of a line. Other errors are thrown on: they are not the capture's. */
function located(place: string, error: unknown): CaptureError {
  if (!(error instanceof CaptureLineError)) throw error;
  return new CaptureError(`${place}: ${error.message}`, { cause: error });
}

/** Bytes in memory that nothing else writes to. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Consecutive lines of a capture. */
export interface LinePiece {
  /** The text of each line, without its newline. */
  readonly lines: readonly string[];
  /** The number of the first line, from 1, and the offset of its first byte in the (uncompressed) capture. */
  readonly firstLine: number;
  readonly offset: number;
  /** Whether the last line is cut off: it has no newline and is not JSON. */
  readonly isTruncated: boolean;
}

const NEWLINE = 0x0a;
/** A longer line is an error: it would be in memory several times. */
const LINE_BYTES = 256 * 1024 * 1024;

/**
 * Creates a reader that cuts bytes into lines. It runs in Node and in browsers. Bytes are copied only for a line that lies across two chunks.
 * @param name what errors call the capture.
 */
export function lineReader(name: string) {
  let carry: Bytes[] = [];
  let carried = 0;
  let line = 1;
  let offset = 0;

  const pieceOf = (bytes: Bytes): LinePiece => {
    const piece = linePiece(name, { bytes, firstLine: line, offset });
    line += piece.lines.length;
    offset += bytes.length;
    return piece;
  };
  const carryOn = (bytes: Bytes) => {
    carry.push(bytes);
    carried += bytes.length;
    if (carried > LINE_BYTES)
      throw new CaptureError(`${name}:${line}: is longer than ${LINE_BYTES / 1024 / 1024} MB`);
  };

  return {
    /**
     * Returns the lines that these bytes complete.
     * @throws {CaptureError} for a line that is not UTF-8 or longer than 256 MB; it names the line.
     */
    take(bytes: Bytes): LinePiece[] {
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
    /**
     * Returns the last line when it has no newline yet, `undefined` when there is none. More bytes can still follow: they continue this line.
     * @throws {CaptureError} when the line is complete JSON but not UTF-8.
     */
    rest: (): LinePiece | undefined =>
      carried === 0 ? undefined : lastPiece(name, { bytes: joined(carry), firstLine: line, offset }),
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

type Part = Pick<LinePiece, 'firstLine' | 'offset'> & { readonly bytes: Bytes };

/** @throws {CaptureError} when it is not UTF-8; `name` is that of the capture. */
function linePiece(name: string, { bytes, firstLine, offset }: Part): LinePiece {
  const content = bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes;
  let text: string;
  try {
    text = strict.decode(content);
  } catch (error) {
    throw new CaptureError(`${name}:${firstLine + countUtf8Lines(content)}: is not UTF-8`, { cause: error });
  }
  return { lines: text.split('\n'), firstLine, offset, isTruncated: false };
}

/** Returns the last piece. A line that was cut off is not JSON, and may end within a character. */
function lastPiece(name: string, part: Part): LinePiece {
  const text = lenient.decode(part.bytes);
  if (tryParseJson(text) !== undefined) return linePiece(name, part);
  return { lines: [text], firstLine: part.firstLine, offset: part.offset, isTruncated: true };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns how many lines come before the first that is not UTF-8. */
function countUtf8Lines(bytes: Bytes): number {
  const replaced = new TextEncoder().encode(lenient.decode(bytes));
  const end = bytes.findIndex((byte, i) => byte !== replaced[i]);
  return bytes.subarray(0, end).filter((byte) => byte === NEWLINE).length;
}

/** The place of a record: its line, from 1, and the offset of the line's first byte in the (uncompressed) capture. */
export interface LinePlace {
  readonly line: number;
  readonly offset: number;
}

/** A capture while it is read: its header, then its records, a batch for each part of the file. */
export interface CaptureReader {
  readonly header: CaptureHeader;
  /**
   * Reads the records in order; can be called once.
   * @throws {CaptureError} at the first line that cannot be used.
   */
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** Returns a function that returns the place of the record at an index of the last batch, fastest for indexes in order; a HAR has no lines. */
  places?(): (index: number) => LinePlace;
  /** Problems that do not prevent the use of the capture; complete after the last record. */
  readonly warnings: readonly string[];
}

/** A capture that cannot be used. `message` is one line with the file and, if known, the line. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
