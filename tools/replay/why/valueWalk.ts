import { setImmediate } from 'node:timers/promises';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { StepOrTime } from '../base/commandOptions.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { StepWalker, type WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { valueReader } from '../inspector/model/trace/valuePath.ts';
import type { LinePlace } from '../read/captureDecoder.ts';
import type { ReadOptions } from '../read/readBytes.ts';
import { readCapture } from '../read/readCapture.ts';

/** A record with its index, from 0, and, when the capture has lines, what returns its place by its index in the batch: few places are needed. */
export interface Source {
  readonly record: CaptureRecord;
  readonly index: number;
  readonly placeOf: ((inBatch: number) => LinePlace) | undefined;
  readonly inBatch: number;
  /** Its step, and the kind of the update of a received frame; they are known at the step. */
  step: number;
  updateKind: string | undefined;
  /** The stack of an exception of the app's code, at its last step. */
  failure: string | undefined;
}

/**
 * Walks the steps of a session with the record of each, for a question about the value at a path up to a moment. It keeps the records of the updates that
 * wait; those of the app of a store, which names the record of an update, all stay, as the app has run through them before.
 */
export abstract class ValueWalk {
  readonly app: InspectedApp;
  readonly path: string;
  /** Whether the last step was after the moment. */
  protected isPast = false;
  protected readonly read: (state: SessionState) => unknown;
  protected readonly at: StepOrTime;
  readonly #walker: StepWalker;
  readonly #all: Source[] | undefined;
  /** The records of the updates that wait, from the index `#next` on. */
  #waiting: Source[] = [];
  #next = 0;
  #taken = 0;
  #source: Source | undefined;
  #end: Pick<WalkedStep, 'step' | 't' | 'after'>;

  /** @throws {SessionError} when the path does not begin with a name of the state. */
  constructor(app: InspectedApp, path: string, at: StepOrTime = { step: Infinity }) {
    this.app = app;
    this.path = path;
    this.read = valueReader(app, path);
    this.at = at;
    this.#walker = new StepWalker(app, (step) => this.#onStep(step));
    this.#all = app.describeRelease === undefined ? undefined : [];
    this.#end = { step: 0, t: 0, after: app.initialState };
  }

  /** Whether no further step is needed. */
  get isDone(): boolean {
    return this.#walker.isOver;
  }

  /** The last step up to the moment, its time and the state and the value after it. */
  get end() {
    const { step, t, after: state } = this.#end;
    return { step, t, state, value: this.read(state) };
  }

  /** The records of the updates that wait, the oldest first; after the end of the session, of those that were never applied. */
  protected get waiting(): readonly Source[] {
    return this.#waiting.slice(this.#next);
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord, inBatch = 0, placeOf?: Source['placeOf']): void {
    const index = this.#taken++;
    this.#source = { record, index, placeOf, inBatch, step: 0, updateKind: undefined, failure: undefined };
    this.#all?.push(this.#source);
    this.#walker.take(record);
  }

  /** Releases the updates that are due before a record (by default: all), but at most `most`; returns whether there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean {
    return !this.isDone && this.#walker.pass(record, most);
  }

  /** Is called for each step, with its record; of an update at its tick, that of its frame. */
  protected abstract onStep(step: WalkedStep, source: Source): void;

  /** Is called before the first step after the moment. */
  protected onPast?(): void;

  /** Is called for each waiting update that a record removed from the queue. */
  protected onDropped?(source: Source, step: WalkedStep): void;

  #onStep(step: WalkedStep): void {
    if (!this.isPast && isAfter(step, this.at)) {
      this.onPast?.();
      this.isPast = true;
    }
    if (!this.isPast) this.#end = step;
    const { release } = step;
    const isOldest = release !== undefined && release.record === undefined;
    const source = isOldest ? this.#oldest() : release ? this.#all?.[release.record ?? 0] : this.#source;
    if (source === undefined) throw new Error(`step ${step.step} has no record`);
    if (release === undefined) {
      source.step = step.step;
      source.updateKind = step.updateKind;
      if (step.updateKind !== undefined) this.#waiting.push(source);
    }
    source.failure = this.app.takeFailure?.();
    this.onStep(step, source);
    while (this.#waiting.length - this.#next > step.after.queue.length) {
      const dropped = this.#oldest();
      if (dropped !== undefined) this.onDropped?.(dropped, step);
    }
  }

  /** Removes and returns the oldest of those that wait. */
  #oldest(): Source | undefined {
    const oldest = this.#waiting[this.#next++];
    if (this.#next >= MOST_REMOVED || this.#next >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return oldest;
  }
}

/** The list of those that wait is copied after this many are removed. */
const MOST_REMOVED = 4096;

/** Returns whether a step is after a moment. A time is that which is shown, to the millisecond. */
const isAfter = ({ step, t }: WalkedStep, at: StepOrTime): boolean =>
  'step' in at ? step > at.step : t >= at.time + 0.5;

/** The number of updates released at a time; signals are handled between them. */
const PIECE = 10_000;

/**
 * Streams a capture through a walk; the records are never all in memory. Returns the warnings of the capture.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function walkCapture(path: string, walk: ValueWalk, options: ReadOptions = {}) {
  const { records, places, warnings } = await readCapture(path, options);
  for await (const batch of records()) {
    const placeOf = places?.();
    let inBatch = 0;
    for (const record of batch) {
      while (walk.pass(record, PIECE)) await setImmediate();
      walk.take(record, inBatch++, placeOf);
      if (walk.isDone) return warnings;
    }
  }
  while (walk.pass(undefined, PIECE)) await setImmediate();
  return warnings;
}
