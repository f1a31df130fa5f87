import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { StepWalker, type WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import type { LinePlace } from '../read/captureDecoder.ts';

/** A record with its index, from 0, and its place in the capture, when it has lines. */
export interface Source {
  readonly record: CaptureRecord;
  readonly index: number;
  readonly place: LinePlace | undefined;
  /** Its step, and the kind of the update of a received frame; they are known at the step. */
  step: number;
  updateKind: string | undefined;
}

/** What a walk reports. */
interface Walking {
  /**
   * Is called for each step, with its record (of an update at its tick, that of its frame) and the stack of an exception of the app's code.
   */
  readonly onStep: (step: WalkedStep, source: Source, failure: string | undefined) => void;
  /** Is called for each waiting update that a record removed from the queue. */
  readonly onDropped?: (source: Source, step: WalkedStep) => void;
}

/**
 * Walks the steps of a session with the record of each. It keeps the records of the updates that wait; those of the app of a store, which names the
 * record of an update, all stay, as the app has run through them before.
 */
export class SessionWalk {
  readonly #app: InspectedApp;
  readonly #walking: Walking;
  readonly #walker: StepWalker;
  readonly #all: Source[] | undefined;
  /** The records of the updates that wait, from the index `#next` on. */
  #waiting: Source[] = [];
  #next = 0;
  #taken = 0;
  #source: Source | undefined;

  constructor(app: InspectedApp, walking: Walking) {
    this.#app = app;
    this.#walking = walking;
    this.#walker = new StepWalker(app, (step) => this.#onStep(step));
    this.#all = app.describeRelease === undefined ? undefined : [];
  }

  /** Whether a record has ended the session. */
  get isOver(): boolean {
    return this.#walker.isOver;
  }

  /** The records of the updates that wait, the oldest first; after the end of the session, of those that were never applied. */
  get waiting(): readonly Source[] {
    return this.#waiting.slice(this.#next);
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord, place?: LinePlace): void {
    this.#source = { record, index: this.#taken++, place, step: 0, updateKind: undefined };
    this.#all?.push(this.#source);
    this.#walker.take(record);
  }

  /** Releases the updates that are due before a record (by default: all), but at most `most`; returns whether there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean {
    return this.#walker.pass(record, most);
  }

  #onStep(step: WalkedStep): void {
    const { release } = step;
    const source = release === undefined ? this.#source : this.#sourceOf(release.record);
    if (source === undefined) throw new Error(`step ${step.step} has no record`);
    if (release === undefined) {
      source.step = step.step;
      source.updateKind = step.updateKind;
      if (step.updateKind !== undefined) this.#waiting.push(source);
    }
    this.#walking.onStep(step, source, this.#app.takeFailure?.());
    while (this.#waiting.length - this.#next > step.after.queue.length) this.#drop(step);
  }

  #sourceOf(record: number | undefined): Source | undefined {
    return record === undefined ? this.#oldest() : this.#all?.[record];
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

  #drop(step: WalkedStep): void {
    const dropped = this.#oldest();
    if (dropped !== undefined) this.#walking.onDropped?.(dropped, step);
  }
}

/** The list of those that wait is copied after this many are removed. */
const MOST_REMOVED = 4096;
