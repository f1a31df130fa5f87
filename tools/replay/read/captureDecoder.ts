import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { CaptureLineError, TimeOrderError, captureParser } from '#shared/capture/parse.ts';
import { CaptureError } from './captureError.ts';
import type { LinePiece } from './lineReader.ts';
import { withoutByteOrderMark } from './withoutByteOrderMark.ts';

/** Decodes the lines of one capture (contract §6). It runs in Node and in browsers, as {@link LineReader} does. */
export interface CaptureDecoder {
  /**
   * Decodes line 1.
   * @throws {CaptureError} when it is not a header that this version can use.
   */
  header(piece: LinePiece): { readonly header: CaptureHeader; readonly line: string };
  /**
   * Decodes the records of a piece, which must come in order. `onRecord` also gets the index of the record's line in the
   * piece. Skips line 1, blank lines, and a truncated last line, with a warning.
   * @throws {CaptureError} at the first line that cannot be used.
   */
  records(piece: LinePiece, onRecord: (record: CaptureRecord, index: number) => void): void;
  /** Returns whether a broken line was the end of what is used: further pieces are ignored. */
  isOver(): boolean;
}

/**
 * What happens at a line in the middle that cannot be used: an error; the line is skipped, with a warning; or it is the end, with a warning, if any
 * record is before it.
 */
export type BrokenLines = 'error' | 'skipped' | 'end';

/** What a decoder is for. */
interface DecoderOptions {
  /** What errors and warnings call the capture. */
  readonly name: string;
  readonly onWarning: (warning: string) => void;
  /** By default an error. */
  readonly brokenLines?: BrokenLines | undefined;
}

/** Creates a decoder. */
export function captureDecoder({ name, onWarning, brokenLines = 'error' }: DecoderOptions): CaptureDecoder {
  const parser = captureParser();
  let hasRecords = false;
  let isOver = false;
  return {
    header({ lines }) {
      const line = withoutByteOrderMark(lines[0] ?? '');
      try {
        return { header: parser.header(line), line };
      } catch (error) {
        throw located(`${name}:1`, error);
      }
    },
    records({ lines, firstLine, isTruncated }, onRecord) {
      for (let i = firstLine === 1 ? 1 : 0; i < lines.length && !isOver; i++) {
        const line = lines[i] ?? '';
        if (isBlank(line)) continue;
        try {
          onRecord(parser.record(line), i);
          hasRecords = true;
        } catch (error) {
          const problem = located(`${name}:${firstLine + i}`, error);
          if (isTruncated && i === lines.length - 1) {
            onWarning(`${problem.message}; ${CUT_OFF}`);
          } else if (brokenLines === 'skipped') {
            onWarning(`${problem.message}; this line is skipped`);
          } else if (brokenLines === 'end' && hasRecords) {
            isOver = true;
            onWarning(`${problem.message}; only what is before it is used`);
          } else throw withAdvice(problem, firstLine + i - 1);
        }
      }
    },
    isOver: () => isOver,
  };
}

/** Records start with a brace, so that most lines are not searched. */
const isBlank = (line: string) => line[0] !== '{' && line.trim() === '';

const CUT_OFF = 'the recorder was stopped in the middle of it, and all before it is used';

/** Adds to an error about the order of times how to get the part of the capture before it. */
const withAdvice = (problem: CaptureError, linesBefore: number): CaptureError =>
  problem.cause instanceof TimeOrderError
    ? new CaptureError(
        `${problem.message}; its first ${linesBefore} lines can be used: head -n ${linesBefore}`,
        problem,
      )
    : problem;

/** The warning about a gzip file that has no end. */
export const GZIP_CUT_OFF = 'the gzip file ends too early; all before its end is used';

/** Adds file and line to an error of a line. Other errors are thrown on: they are not the capture's. */
function located(place: string, error: unknown): CaptureError {
  if (!(error instanceof CaptureLineError)) throw error;
  return new CaptureError(`${place}: ${error.message}`, { cause: error });
}
