import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest, toList } from '#shared/fifo.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { StepWalker, type WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import type { LinePlace } from '../read/captureDecoder.ts';

/** A record with its index, from 0, and its place in the capture, when it has lines. */
export interface Source {
  readonly record: CaptureRecord;
  readonly index: number;
  readonly place: LinePlace | undefined;
  /** The step at which a frame was received, while its update waits. */
  readonly received?: Pick<WalkedStep, 'step' | 'kind' | 't' | 'updateKind'>;
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
  #waiting: Fifo<Source> = emptyFifo();
  #waitingCount = 0;
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
    return toList(this.#waiting);
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord, place?: LinePlace): void {
    this.#walker.pass(record);
    this.#source = { record, index: this.#taken++, place };
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
    if (release === undefined && step.updateKind !== undefined) {
      const { step: number, kind, t, updateKind } = step;
      this.#waiting = enqueue(this.#waiting, { ...source, received: { step: number, kind, t, updateKind } });
      this.#waitingCount++;
    }
    this.#walking.onStep(step, source, this.#app.takeFailure?.());
    while (this.#waitingCount > step.after.queue.length) this.#drop(step);
  }

  #sourceOf(record: number | undefined): Source | undefined {
    return record === undefined ? this.#next() : this.#all?.[record];
  }

  #next(): Source | undefined {
    const next = oldest(this.#waiting);
    this.#waiting = dequeue(this.#waiting);
    this.#waitingCount--;
    return next;
  }

  #drop(step: WalkedStep): void {
    const dropped = this.#next();
    if (dropped !== undefined) this.#walking.onDropped?.(dropped, step);
  }
}
