import { CaptureLineError, type CaptureParser, captureParser } from '#shared/capture/parse.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { NEWLINE, withoutMark } from '../../../read/utf8Text.ts';
import { type ByteLines, type LinePiece, NotUtf8Error, byteLines, textOf } from './byteLines.ts';
import { type Trace, emptyTrace } from './trace.ts';
import { type Extender, extendTrace } from './extendTrace.ts';
import { type Bytes, type Place, addLine } from './lineTable.ts';
import { rewindTrace } from './rewindTrace.ts';
import { SessionError } from './sessionError.ts';
import type { Task } from './task.ts';

/**
 * A trace on its way from bytes:
 *
 *     reading ── settle ──▶ settled ── more bytes ──▶ rewound to the last whole line, and reading
 *
 * Settled, what waits has been released and a last line without its newline has been looked at. Both were for the moment:
 * when more comes, they are taken back.
 */
export interface TraceLoader {
  /** @throws {SessionError} at the first line that cannot be used. */
  take(bytes: Bytes): void;
  /** Something was wrong and can be lived with. */
  warn(warning: string): void;
  /**
   * Lets time go on until nothing waits; pauses after each so many updates.
   * @throws {SessionError} when there is no header, or the last line cannot be used.
   */
  settle(): Task<Trace>;
}

/** Released between two pauses. */
const PIECE = 2000;

/** What is being read. */
interface Reading {
  readonly trace: Trace;
  readonly extender: Extender;
}

/** How much of it came in whole lines. */
interface Whole {
  readonly records: number;
  readonly warnings: number;
  readonly chunks: number;
}

/** A load on its way. */
interface Loading {
  readonly name: string;
  readonly source: ByteLines;
  readonly parser: CaptureParser;
  /** Said before there was a trace to say it of. */
  readonly warnings: string[];
  /** The number of the next line. */
  line: number;
  reading: Reading | undefined;
  settled: Whole | undefined;
}

/** A loader for one capture. @param name is what errors call it. */
export function traceLoader(name: string): TraceLoader {
  const loading: Loading = {
    name,
    source: byteLines(),
    parser: captureParser(),
    warnings: [],
    line: 1,
    reading: undefined,
    settled: undefined,
  };
  return {
    take(bytes) {
      resume(loading);
      const pieces = checkedText(loading, () => loading.source.take(bytes));
      for (const piece of pieces) takePiece(loading, piece);
    },
    warn: (warning) => warningsOf(loading).push(`${name}: ${warning}`),
    settle: () => settle(loading),
  };
}

const warningsOf = ({ reading, warnings }: Loading): string[] => reading?.trace.warnings ?? warnings;

const refusal = ({ name }: Loading, line: number, error: Error) =>
  new SessionError(`${name}:${line}: ${error.message}`, { cause: error });

function* settle(loading: Loading): Task<Trace> {
  resume(loading);
  const { lines } = loading.reading?.trace ?? {};
  loading.settled = {
    records: lines?.chunk.length ?? 0,
    warnings: warningsOf(loading).length,
    chunks: lines?.chunks.length ?? 0,
  };
  takeRest(loading);
  const { reading } = loading;
  if (reading === undefined) throw new SessionError(`${loading.name}: is empty`);
  while (reading.extender.settle(PIECE)) yield;
  return reading.trace;
}

function resume(loading: Loading): void {
  const { reading, settled } = loading;
  loading.settled = undefined;
  if (reading === undefined || settled === undefined) return;
  const { trace } = reading;
  trace.warnings.length = settled.warnings;
  trace.lines.chunks.length = settled.chunks;
  const isHeaderWhole = settled.chunks > 0;
  loading.reading = isHeaderWhole
    ? { trace, extender: extendTrace(trace, rewindTrace(trace, settled.records)) }
    : undefined;
}

function takePiece(loading: Loading, { bytes, text }: LinePiece): void {
  // Of ASCII each character is a byte, so nobody has to look for the newlines twice.
  const isAscii = bytes.length - text.length === (bytes.at(-1) === NEWLINE ? 1 : 0);
  let start = 0;
  for (const line of text.split('\n')) {
    const newline = isAscii ? start + line.length : bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    try {
      takeLine(loading, line, { start, length: end - start });
    } catch (error) {
      if (!(error instanceof CaptureLineError)) throw error;
      // Asked only here, for blank lines are rare and records a million.
      if (loading.reading === undefined || line.trim() !== '') throw refusal(loading, loading.line, error);
    }
    start = end + 1;
    loading.line++;
  }
  loading.reading?.trace.lines.chunks.push(bytes);
}

function takeLine(loading: Loading, text: string, place: Omit<Place, 'chunk'>): void {
  const { reading, parser } = loading;
  if (reading === undefined) {
    takeHeader(loading, text);
    return;
  }
  const { lines } = reading.trace;
  const record = parser.record(text);
  addLine(lines, { chunk: lines.chunks.length, ...place });
  reading.extender.take(record);
}

function takeHeader(loading: Loading, text: string): void {
  const { name, parser, warnings } = loading;
  const headerLine = withoutMark(text);
  const trace = emptyTrace({ name, header: parser.header(headerLine), headerLine });
  trace.warnings.push(...warnings);
  loading.reading = { trace, extender: extendTrace(trace) };
}

/** A line that was cut off is no JSON any more; one that is was written whole, and its faults are its own. */
function takeRest(loading: Loading): void {
  const { reading, line, name } = loading;
  const bytes = loading.source.rest();
  if (bytes.length === 0) return;
  if (reading === undefined || tryParseJson(lenient.decode(bytes)) !== undefined) {
    takePiece(loading, { bytes, text: checkedText(loading, () => textOf(bytes)) });
    loading.line = line;
    return;
  }
  reading.trace.warnings.push(
    `${name}:${line}: is not JSON; the recorder was stopped in the middle of it, and all before it is used`,
  );
}

function checkedText<T>(loading: Loading, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof NotUtf8Error) throw refusal(loading, loading.line + error.linesBefore, error);
    throw error;
  }
}

const lenient = new TextDecoder();
