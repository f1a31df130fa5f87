import {
  type BrokenLines,
  type Bytes,
  CaptureError,
  type LinePiece,
  captureDecoder,
  lineReader,
} from '../../../read/captureDecoder.ts';
import type { InspectedApp } from './app.ts';
import { TraceExtender } from './TraceExtender.ts';
import { stateAtEnd } from './stateReader.ts';
import type { Task } from './task.ts';
import { type Trace, copyTrace, emptyTrace } from './trace.ts';

/** The number of updates released between two pauses. */
const PIECE = 2000;

/**
 * Loads a trace from bytes:
 *
 *     reading ── settle ──▶ settled ── more bytes ──▶ rewound to the last complete line, and reading
 *
 * When the trace is settled, the waiting updates have been released and a last line without a newline has been decoded.
 * Both are provisional: when more bytes come, they are reverted.
 */
export class TraceLoader {
  readonly #name: string;
  readonly #app: InspectedApp;
  readonly #warnings: string[] = [];
  readonly #reader;
  readonly #decoder;
  /** `undefined` before the header. */
  #reading: { readonly trace: Trace; readonly extender: TraceExtender } | undefined;
  /** What had been read up to the last complete line; `records` is `undefined` before the header. */
  #settled: { readonly records: number | undefined; readonly warnings: number } | undefined;

  /** @param name what errors call the capture. */
  constructor(name: string, { app, brokenLines }: { app: InspectedApp; brokenLines?: BrokenLines }) {
    this.#name = name;
    this.#app = app;
    this.#reader = lineReader(name);
    this.#decoder = captureDecoder({ name, brokenLines, onWarning: (text) => this.#warnings.push(text) });
  }

  /** @throws {CaptureError} at the first line that cannot be used. */
  take(bytes: Bytes): void {
    if (this.#decoder.isOver()) return;
    this.#resume();
    for (const piece of this.#reader.take(bytes)) this.#takePiece(piece);
  }

  /** Returns the trace of the records that have been taken; `undefined` before the header. Bytes that follow extend the same trace. */
  trace(): Trace | undefined {
    return this.#reading?.trace;
  }

  /** Adds a warning about the source. */
  warn(warning: string): void {
    this.#warnings.push(`${this.#name}: ${warning}`);
  }

  /**
   * Releases updates until none waits; pauses after every 2000.
   * @throws {CaptureError} when there is no header, or the last line cannot be used.
   */
  *settle(): Task<Trace> {
    this.#resume();
    this.#settled = { records: this.trace()?.lines.length, warnings: this.#warnings.length };
    const rest = this.#reader.rest();
    if (rest !== undefined) this.#takePiece(rest);
    const reading = this.#reading;
    if (reading === undefined) throw new CaptureError(`${this.#name}: is empty`);
    while (reading.extender.settle(PIECE)) yield;
    return reading.trace;
  }

  /** Reverts what `settle` did provisionally. */
  #resume(): void {
    const [trace, settled] = [this.trace(), this.#settled];
    this.#settled = undefined;
    if (trace === undefined || settled === undefined) return;
    this.#warnings.length = settled.warnings;
    const kept = settled.records === undefined ? undefined : copyTrace(trace, settled.records);
    this.#reading = kept && { trace: kept, extender: new TraceExtender(kept, stateAtEnd(kept)) };
  }

  #takePiece(piece: LinePiece): void {
    if (this.#decoder.isOver()) return;
    const { extender } = (this.#reading ??= this.#begin(piece));
    this.#decoder.records(piece, (record, i) => extender.take(record, piece.lines[i]));
  }

  /** Starts the trace with the header, which is the first line. */
  #begin(piece: LinePiece) {
    const { header, line: headerLine } = this.#decoder.header(piece);
    const given = { name: this.#name, header, headerLine, app: this.#app, warnings: this.#warnings };
    const trace = emptyTrace(given);
    return { trace, extender: new TraceExtender(trace) };
  }
}
