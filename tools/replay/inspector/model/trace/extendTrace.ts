import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { END, type StateEngine, type Step, createEngine } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { StepKind } from '../../protocol/protocol.ts';
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
  traceReader,
} from './trace.ts';

/** Appends the steps of records to a trace. */
export interface Extender {
  /** Takes the next record; its line must already be in the table. */
  take(record: CaptureRecord): void;
  /** Releases waiting updates, at most `most`; returns whether more of them wait. */
  settle(most: number): boolean;
}

/** A trace that is being extended. */
interface Extending {
  readonly trace: Trace;
  readonly engine: StateEngine<SessionState>;
  /** The number of each kind of update. */
  readonly kinds: Map<string, number>;
  /** The update of the last frame. */
  received: { readonly update: unknown } | undefined;
  /** The field that the last step edited, with its window. */
  field: string | undefined;
}

/**
 * Replays records and records each step. The engine reports when an update is released and what a frame was decoded to, so each frame is decoded
 * once.
 * @param start the state after the last step of the trace; omitted for an empty trace.
 */
export function extendTrace(trace: Trace, start?: SessionState): Extender {
  const extending: Extending = {
    trace,
    engine: createEngine(trace.app, {
      start,
      onUpdate: (update) => (extending.received = { update }),
      onStep: (step) => addRelease(extending, step),
    }),
    kinds: new Map(trace.kinds.map((kind, index) => [kind, index + 1])),
    received: undefined,
    field: lastField(trace),
  };
  return {
    take(record) {
      trace.app.takeFailure?.();
      take(extending, record);
    },
    settle(most) {
      // A computation of a state can have left an exception.
      trace.app.takeFailure?.();
      // Updates that waited when the session ended were never applied.
      return trace.endedAt === undefined && extending.engine.pass(END, most);
    },
  };
}

/** Returns the field that the last step of a trace edits. */
function lastField(trace: Trace): string | undefined {
  const step = lastStep(trace);
  if (stepKindAt(trace, step) !== 'action') return undefined;
  return fieldOf(trace, traceReader(trace)(trace.steps.records.at(step)));
}

function take(extending: Extending, record: CaptureRecord): void {
  const { trace, engine } = extending;
  const { recordSteps } = trace.places;
  const place = { t: record.t, record: recordSteps.length };
  if (trace.endedAt === undefined) {
    engine.pass(record);
    const before = engine.state();
    extending.received = undefined;
    if (!engine.take(record)) trace.endedAt = place.record;
    if (record.type === 'recv') addReceived(extending, place);
    else addOther(extending, record, { ...place, before });
  } else add(extending, 'other', place);
  recordSteps.push(lastStep(trace));
}

interface Added {
  readonly t: number;
  readonly record: number;
  readonly isChanged?: boolean;
  readonly isError?: boolean;
  readonly updateKind?: number;
  /** The field that it edits, with its window. */
  readonly field?: string | undefined;
}

function add(extending: Extending, kind: StepKind, added: Added): number {
  const { trace, engine } = extending;
  const { t, record, isChanged = false, isError = false, updateKind = 0, field } = added;
  const { steps, app, failures, checkpoints } = trace;
  const { counts, queue, connection } = engine.state();
  const step = lastStep(trace) + 1;
  const failure = app.takeFailure?.();
  if (failure !== undefined) failures.set(step, failure);
  const flags =
    (isChanged ? CHANGED : 0) |
    (isError || failure !== undefined ? FAILED : 0) |
    (connection.status === 'connected' ? CONNECTED : 0) |
    (field !== undefined && field === extending.field ? SAME_FIELD : 0);
  extending.field = field;
  steps.kinds.push(STEP_NUMBER[kind] | flags);
  steps.updateKinds.push(updateKind);
  steps.times.push(t);
  steps.records.push(record);
  steps.updates.push(counts.applied + counts.ignored);
  steps.queue.push(queue.length);
  if (step % CHECKPOINT_STEPS === 0) checkpoints.push(engine.state());
  return step;
}

/** Adds the step of an update at its tick. */
function addRelease(extending: Extending, released: Step<SessionState>): void {
  const { app, places } = extending.trace;
  const { number, tick: t, update, effect, before, after } = released;
  const isNotification = effect === 'applied' && app.notification?.(update, after) !== undefined;
  add(extending, isNotification ? 'notification' : effect, {
    t,
    record: places.updateRecords.at(number - 1),
    isChanged: effect === 'applied' && app.isChanged(before, after, update),
    updateKind: kindNumber(extending, released.kind),
  });
}

/** Adds the step of a frame from the platform, which changes only the queue and the counts. */
function addReceived(extending: Extending, place: Pick<Added, 't' | 'record'>): void {
  const { trace, received } = extending;
  if (received === undefined) {
    add(extending, 'rejected', { ...place, isError: true });
    return;
  }
  trace.places.updateRecords.push(place.record);
  const updateKind = kindNumber(extending, trace.app.kind(received.update));
  add(extending, 'received', { ...place, updateKind });
}

/** Returns the number of a kind of update, from 1. */
function kindNumber({ trace, kinds }: Extending, kind: string): number {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  kinds.set(kind, trace.kinds.push(kind));
  return trace.kinds.length;
}

/** Adds the step of any other record. */
function addOther(
  extending: Extending,
  record: CaptureRecord,
  { before, ...place }: Added & { readonly before: SessionState },
): void {
  const { trace, engine } = extending;
  const { app, marks } = trace;
  const after = engine.state();
  const isChanged = before !== after && app.isChanged(before, after);
  const isError = isKnown(record) && record.type === 'close' && !app.isExpectedClose(record);
  const field = fieldOf(trace, record);
  const step = add(extending, kindOfRecord(record), { ...place, isChanged, isError, field });
  if (record.type === 'launch') trace.launchStep ??= step;
  const mark = isChanged ? app.mark?.(after) : undefined;
  const { windows, isRecording } = marks.at(-1) ?? {};
  if (mark !== undefined && !isSameJson(mark, { windows, isRecording }))
    marks.push({ step, t: record.t, ...mark });
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
