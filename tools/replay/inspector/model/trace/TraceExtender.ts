import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { END, type Step as ReleaseStep, type Engine, createEngine } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { StepKind } from './stepKinds.ts';
import type { InspectedApp } from './app.ts';
import { CHECKPOINT_STEPS, type Step } from './stepTable.ts';
import { type Trace, isRelease, lastStep, stepOf } from './trace.ts';

type Added = Pick<Step, 'kind' | 't' | 'record'> &
  Partial<Pick<Step, 'isChanged' | 'isError' | 'updateKind' | 'field'>>;

/**
 * Replays records and appends their steps to a trace. The engine reports when an update is released and what a frame was decoded to, so each frame
 * is decoded once.
 */
export class TraceExtender {
  readonly #trace: Trace;
  readonly #engine: Engine<SessionState>;
  /** The update of the last frame, and whether it was rejected: a frame can also be neither. */
  #received: { readonly update: unknown } | undefined;
  #isRejected = false;
  /** The state after the last step. */
  #last: SessionState;

  /** @param start the state after the last step of the trace; omitted for an empty trace. */
  constructor(trace: Trace, start?: SessionState) {
    this.#trace = trace;
    this.#last = start ?? trace.app.initialState;
    this.#engine = createEngine(trace.app, {
      start,
      onUpdate: (update) => (this.#received = { update }),
      onRejected: () => (this.#isRejected = true),
      onStep: (step) => this.#addRelease(step),
    });
  }

  /** Takes the next record. @param line its line; by default its JSON. */
  take(record: CaptureRecord, line = JSON.stringify(record)): void {
    const [trace, engine] = [this.#trace, this.#engine];
    const place = { t: record.t, record: trace.lines.push(line) - 1 };
    trace.app.takeFailure?.();
    if (trace.endedAt !== undefined) {
      this.#add({ kind: 'other', ...place });
      return;
    }
    engine.pass(record);
    const before = engine.state();
    this.#received = undefined;
    this.#isRejected = false;
    if (!engine.take(record)) trace.endedAt = place.record;
    if (record.type === 'recv') this.#addReceived(place);
    else this.#addOther(record, place, before);
  }

  /** Releases waiting updates, at most `most`; returns whether more of them wait. */
  settle(most: number): boolean {
    // A computation of a state can have left an exception.
    this.#trace.app.takeFailure?.();
    // Updates that waited when the session ended were never applied.
    return this.#trace.endedAt === undefined && this.#engine.pass(END, most);
  }

  /** Adds a step. Each field is named: a rest property would double the time of a long load. */
  #add({ kind, t, record, isChanged = false, isError = false, updateKind, field }: Added): void {
    const { steps, app } = this.#trace;
    const state = this.#engine.state();
    const failure = app.takeFailure?.();
    steps.push({
      kind,
      t,
      record,
      taken: stepOf(this.#trace, steps.length - 1).taken + Number(!isRelease({ kind })),
      updates: state.counts.applied + state.counts.ignored,
      waiting: state.queue.length,
      updateKind,
      isChanged,
      isError: isError || failure !== undefined,
      isConnected: state.connection.status === 'connected',
      field,
      failure,
      state: steps.length % CHECKPOINT_STEPS === 0 ? state : undefined,
    });
    if (state !== this.#last) steps.touch(touchedNames(app, this.#last, state));
    this.#last = state;
  }

  /** Adds the step of an update at its tick. */
  #addRelease({
    number,
    record,
    tick,
    update,
    effect,
    before,
    after,
    kind: updateKind,
  }: ReleaseStep<SessionState>): void {
    const { app, updateRecords } = this.#trace;
    const isNotification = effect === 'applied' && app.notification?.(update, after) !== undefined;
    this.#add({
      kind: isNotification ? 'notification' : effect,
      t: tick,
      record: record ?? updateRecords[number - 1] ?? 0,
      isChanged: effect === 'applied' && app.isChanged(before, after, update),
      updateKind,
    });
  }

  /** Adds the step of a frame from the platform, which changes only the queue and the counts. */
  #addReceived(place: Pick<Step, 't' | 'record'>): void {
    if (this.#isRejected) {
      this.#add({ kind: 'rejected', ...place, isError: true });
      return;
    }
    const { app, updateRecords } = this.#trace;
    updateRecords.push(place.record);
    const received = this.#received;
    this.#add({ kind: 'received', ...place, ...(received && { updateKind: app.kind(received.update) }) });
  }

  /** Adds the step of any other record. */
  #addOther(record: CaptureRecord, place: Pick<Step, 't' | 'record'>, before: SessionState): void {
    const { app, marks } = this.#trace;
    const after = this.#engine.state();
    const isChanged = before !== after && app.isChanged(before, after);
    const isError = isKnown(record) && record.type === 'close' && !app.isExpectedClose(record);
    this.#add({ kind: kindOfRecord(record), ...place, isChanged, isError, field: fieldOf(app, record) });
    const step = lastStep(this.#trace);
    if (record.type === 'launch') this.#trace.launchStep ??= step;
    const mark = isChanged ? app.mark?.(after) : undefined;
    const { windows, isRecording } = marks.at(-1) ?? {};
    if (mark !== undefined && !isSameJson(mark, { windows, isRecording }))
      marks.push({ step, t: record.t, ...mark });
  }
}

/** Returns a bit for each name whose value may differ between two states. */
function touchedNames(app: InspectedApp, before: SessionState, after: SessionState): number {
  let bits = 0;
  for (let index = 0; index < app.names.length; index++) {
    const name = app.names[index] ?? '';
    if (app.part(name, before) !== app.part(name, after)) bits |= 1 << index;
  }
  return bits;
}

/** Returns the field that a record edits, with its window; `undefined` for other records. */
function fieldOf(app: InspectedApp, record: CaptureRecord): string | undefined {
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
    case 'http':
    case 'end':
      return 'other';
    default:
      return record satisfies never;
  }
}
