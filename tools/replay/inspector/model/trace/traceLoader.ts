import {
  type BrokenLines,
  type Bytes,
  type CaptureDecoder,
  CaptureError,
  type LinePiece,
  type LineReader,
  captureDecoder,
  lineReader,
  lineStarts,
} from '../../../read/captureDecoder.ts';
import type { InspectedApp } from './app.ts';
import { type Extender, extendTrace } from './extendTrace.ts';
import { addLine, lineCount } from './lineTable.ts';
import { stateAtEnd } from './stateReader.ts';
import type { Task } from './task.ts';
import { type Trace, emptyTrace, truncateTrace } from './trace.ts';

/**
 * Loads a trace from bytes:
 *
 *     reading ── settle ──▶ settled ── more bytes ──▶ rewound to the last complete line, and reading
 *
 * When the trace is settled, the waiting updates have been released and a last line without a newline has been decoded.
 * Both are provisional: when more bytes come, they are reverted.
 */
export interface TraceLoader {
  /** @throws {CaptureError} at the first line that cannot be used. */
  take(bytes: Bytes): void;
  /** Returns the trace of the records that have been taken; `undefined` before the header. Bytes that follow extend the same trace. */
  trace(): Trace | undefined;
  /** Adds a warning about the source. */
  warn(warning: string): void;
  /**
   * Releases updates until none waits; pauses after every 2000.
   * @throws {CaptureError} when there is no header, or the last line cannot be used.
   */
  settle(): Task<Trace>;
}

/** The number of updates released between two pauses. */
const PIECE = 2000;

/** What has been read so far. */
interface Reading {
  readonly trace: Trace;
  readonly extender: Extender;
}

/** The state after the last complete line. */
interface Complete {
  readonly records: number;
  readonly warnings: number;
  readonly chunks: number;
}

interface Options {
  readonly app: InspectedApp;
  readonly brokenLines?: BrokenLines;
}

interface Loading extends Pick<Options, 'app'> {
  readonly name: string;
  readonly reader: LineReader;
  readonly decoder: CaptureDecoder;
  /** Warnings from before the header. */
  readonly warnings: string[];
  reading: Reading | undefined;
  settled: Complete | undefined;
}

/** Creates a loader for one capture. @param name what errors call the capture. */
export function traceLoader(name: string, { app, brokenLines }: Options): TraceLoader {
  const warn = (warning: string) => void warningsOf(loading).push(warning);
  const loading: Loading = {
    name,
    app,
    reader: lineReader(name),
    decoder: captureDecoder({ name, onWarning: warn, brokenLines }),
    warnings: [],
    reading: undefined,
    settled: undefined,
  };
  return {
    take(bytes) {
      if (loading.decoder.isOver()) return;
      resume(loading);
      for (const piece of loading.reader.take(bytes)) takePiece(loading, piece);
    },
    trace: () => loading.reading?.trace,
    warn: (warning) => warn(`${name}: ${warning}`),
    settle: () => settle(loading),
  };
}

const warningsOf = ({ reading, warnings }: Loading): string[] => reading?.trace.warnings ?? warnings;

function* settle(loading: Loading): Task<Trace> {
  resume(loading);
  const { lines } = loading.reading?.trace ?? {};
  loading.settled = {
    records: lines === undefined ? 0 : lineCount(lines),
    warnings: warningsOf(loading).length,
    chunks: lines?.chunks.length ?? 0,
  };
  const rest = loading.reader.rest();
  if (rest !== undefined) takePiece(loading, rest);
  const { reading } = loading;
  if (reading === undefined) throw new CaptureError(`${loading.name}: is empty`);
  while (reading.extender.settle(PIECE)) yield;
  return reading.trace;
}

/** Reverts what `settle` did provisionally. */
function resume(loading: Loading): void {
  const { reading, settled } = loading;
  loading.settled = undefined;
  if (reading === undefined || settled === undefined) return;
  const { trace } = reading;
  trace.warnings.length = settled.warnings;
  trace.lines.chunks.length = settled.chunks;
  const isHeaderComplete = settled.chunks > 0;
  truncateTrace(trace, settled.records);
  const extender = () => extendTrace(trace, stateAtEnd(trace));
  loading.reading = isHeaderComplete ? { trace, extender: extender() } : undefined;
}

function takePiece(loading: Loading, piece: LinePiece): void {
  if (loading.decoder.isOver()) return;
  const { trace, extender } = (loading.reading ??= begin(loading, piece));
  const { lines } = trace;
  const starts = lineStarts(piece);
  loading.decoder.records(piece, (record, i) => {
    const start = starts[i] ?? 0;
    addLine(lines, { chunk: lines.chunks.length, start, length: (starts[i + 1] ?? 0) - 1 - start });
    extender.take(record);
  });
  lines.chunks.push(piece.bytes);
}

/** Starts the trace with the header, which is the first line. */
function begin({ name, app, decoder, warnings }: Loading, piece: LinePiece): Reading {
  const { header, line: headerLine } = decoder.header(piece);
  const trace = emptyTrace({ name, header, headerLine, app });
  trace.warnings.push(...warnings);
  return { trace, extender: extendTrace(trace) };
}
