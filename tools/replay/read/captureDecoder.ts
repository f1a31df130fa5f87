import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { CaptureLineError, captureParser } from '#shared/capture/parse.ts';
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
}

/** What a decoder is for. */
interface DecoderOptions {
  /** What errors and warnings call the capture. */
  readonly name: string;
  readonly onWarning: (warning: string) => void;
  /** Whether a record that cannot be used is skipped, with a warning. */
  readonly skipsBrokenLines?: boolean | undefined;
}

/** Creates a decoder. */
export function captureDecoder({
  name,
  onWarning,
  skipsBrokenLines = false,
}: DecoderOptions): CaptureDecoder {
  const parser = captureParser();
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
      for (let i = firstLine === 1 ? 1 : 0; i < lines.length; i++) {
        const line = lines[i] ?? '';
        if (isBlank(line)) continue;
        try {
          onRecord(parser.record(line), i);
        } catch (error) {
          const problem = located(`${name}:${firstLine + i}`, error);
          const isLast = isTruncated && i === lines.length - 1;
          if (!isLast && !skipsBrokenLines) throw problem;
          onWarning(`${problem.message}; ${isLast ? CUT_OFF : 'this line is skipped'}`);
        }
      }
    },
  };
}

/** Records start with a brace, so that most lines are not searched. */
const isBlank = (line: string) => line[0] !== '{' && line.trim() === '';

const CUT_OFF = 'the recorder was stopped in the middle of it, and all before it is used';

/** The warning about a gzip file that has no end. */
export const GZIP_CUT_OFF = 'the gzip file ends too early; all before its end is used';

/** Adds file and line to an error of a line. Other errors are thrown on: they are not the capture's. */
function located(place: string, error: unknown): CaptureError {
  if (!(error instanceof CaptureLineError)) throw error;
  return new CaptureError(`${place}: ${error.message}`, { cause: error });
}
