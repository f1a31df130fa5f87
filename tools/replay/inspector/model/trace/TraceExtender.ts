import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { END, type StateEngine, type Step, createEngine } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import { recordReader } from './lineTable.ts';
import {
  CHANGED,
  CHECKPOINT_STEPS,
  CONNECTED,
  FAILED,
  SAME_FIELD,
  STEP_NUMBER,
  type Trace,
  lastStep,
  stepKindAt,
} from './trace.ts';

interface Added {
  readonly t: number;
  readonly record: number;
  readonly isChanged?: boolean;
  readonly isError?: boolean;
  readonly updateKind?: number;
  /** The field that it edits, with its window. */
  readonly field?: string | undefined;
}

/**
 * Replays records and appends their steps to a trace. The engine reports when an update is released and what a frame was decoded to, so each frame
 * is decoded once.
 */
export class TraceExtender {
  readonly #trace: Trace;
  readonly #engine: StateEngine<SessionState>;
  /** The number of each kind of update, from 1. */
  readonly #kinds: Map<string, number>;
  /** The update of the last frame. */
  #received: { readonly update: unknown } | undefined;
  /** The field that the last step edited, with its window. */
  #field: string | undefined;

  /** @param start the state after the last step of the trace; omitted for an empty trace. */
  constructor(trace: Trace, start?: SessionState) {
    this.#trace = trace;
    this.#engine = createEngine(trace.app, {
      start,
      onUpdate: (update) => (this.#received = { update }),
      onStep: (step) => this.#addRelease(step),
    });
    this.#kinds = new Map(trace.kinds.map((kind, index) => [kind, index + 1]));
    const step = lastStep(trace);
    if (stepKindAt(trace, step) === 'action')
      this.#field = fieldOf(trace, recordReader(trace)(trace.steps.records.at(step)));
  }

  /** Takes the next record; its line must already be in the table. */
  take(record: CaptureRecord): void {
    const [trace, engine] = [this.#trace, this.#engine];
    const { recordSteps } = trace.places;
    const place = { t: record.t, record: recordSteps.length };
    trace.app.takeFailure?.();
    if (trace.endedAt === undefined) {
      engine.pass(record);
      const before = engine.state();
      this.#received = undefined;
      if (!engine.take(record)) trace.endedAt = place.record;
      if (record.type === 'recv') this.#addReceived(place);
      else this.#addOther(record, place, before);
    } else this.#add('other', place);
    recordSteps.push(lastStep(trace));
  }

  /** Releases waiting updates, at most `most`; returns whether more of them wait. */
  settle(most: number): boolean {
    // A computation of a state can have left an exception.
    this.#trace.app.takeFailure?.();
    // Updates that waited when the session ended were never applied.
    return this.#trace.endedAt === undefined && this.#engine.pass(END, most);
  }

  #add(kind: StepKind, added: Added): number {
    const { t, record, isChanged = false, isError = false, updateKind = 0, field } = added;
    const { steps, app, failures, checkpoints } = this.#trace;
    const state = this.#engine.state();
    const step = lastStep(this.#trace) + 1;
    const failure = app.takeFailure?.();
    if (failure !== undefined) failures.set(step, failure);
    const flags =
      (isChanged ? CHANGED : 0) |
      (isError || failure !== undefined ? FAILED : 0) |
      (state.connection.status === 'connected' ? CONNECTED : 0) |
      (field !== undefined && field === this.#field ? SAME_FIELD : 0);
    this.#field = field;
    steps.kinds.push(STEP_NUMBER[kind] | flags);
    steps.updateKinds.push(updateKind);
    steps.times.push(t);
    steps.records.push(record);
    steps.updates.push(state.counts.applied + state.counts.ignored);
    steps.queue.push(state.queue.length);
    if (step % CHECKPOINT_STEPS === 0) checkpoints.push(state);
    return step;
  }

  /** Adds the step of an update at its tick. */
  #addRelease({ number, tick: t, update, effect, before, after, kind }: Step<SessionState>): void {
    const { app, places } = this.#trace;
    const isNotification = effect === 'applied' && app.notification?.(update, after) !== undefined;
    this.#add(isNotification ? 'notification' : effect, {
      t,
      record: places.updateRecords.at(number - 1),
      isChanged: effect === 'applied' && app.isChanged(before, after, update),
      updateKind: this.#kindNumber(kind),
    });
  }

  /** Adds the step of a frame from the platform, which changes only the queue and the counts. */
  #addReceived(place: Added): void {
    if (this.#received === undefined) {
      this.#add('rejected', { ...place, isError: true });
      return;
    }
    const { app, places } = this.#trace;
    places.updateRecords.push(place.record);
    this.#add('received', { ...place, updateKind: this.#kindNumber(app.kind(this.#received.update)) });
  }

  #kindNumber(kind: string): number {
    const { kinds } = this.#trace;
    const number = this.#kinds.get(kind) ?? kinds.push(kind);
    this.#kinds.set(kind, number);
    return number;
  }

  /** Adds the step of any other record. */
  #addOther(record: CaptureRecord, place: Added, before: SessionState): void {
    const { app, marks } = this.#trace;
    const after = this.#engine.state();
    const isChanged = before !== after && app.isChanged(before, after);
    const isError = isKnown(record) && record.type === 'close' && !app.isExpectedClose(record);
    const field = fieldOf(this.#trace, record);
    const step = this.#add(kindOfRecord(record), { ...place, isChanged, isError, field });
    if (record.type === 'launch') this.#trace.launchStep ??= step;
    const mark = isChanged ? app.mark?.(after) : undefined;
    const { windows, isRecording } = marks.at(-1) ?? {};
    if (mark !== undefined && !isSameJson(mark, { windows, isRecording }))
      marks.push({ step, t: record.t, ...mark });
  }
}

/** Returns the field that a record edits, with its window; `undefined` for other records. */
function fieldOf({ app }: Trace, record: CaptureRecord): string | undefined {
  if (!isKnown(record) || record.type !== 'action') return undefined;
  const field = app.describeAction?.(record.action).field;
  return field === undefined ? undefined : `${record.window} ${field}`;
}

/** Returns the kind of the step of a record that is not a received frame. */
function kindOfRecord(record: CaptureRecord): StepKind {
  if (!isKnown(record)) return 'other';
  switch (record.type) {
    case 'open':
    case 'close':
    case 'action':
      return record.type;
    case 'launch':
    case 'release':
      return 'action';
    case 'send':
      return 'sent';
    case 'recv':
      return 'received';
    default:
      return record satisfies never;
  }
}
