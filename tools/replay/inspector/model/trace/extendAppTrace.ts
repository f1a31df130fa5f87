import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { valueDiff } from '../../../diff/valueDiff.ts';
import { frameBytes, isFrame } from '../../../engine/frames.ts';
import type { DecodedFrame } from '../../../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../../../engine/appSession.ts';
import { createEngine } from '../../../engine/createEngine.ts';
import type { StateEngine, Step } from '../../../engine/replay.ts';
import { END } from '../../../engine/nextRelease.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import { type AppTrace, CHECKPOINT_STEPS } from './appTrace.ts';
import { appOf } from './appState.ts';
import { type Extender, kindOfRecord, reject } from './extendTrace.ts';
import { guardAdapter } from './guardAdapter.ts';
import { CHANGED, STEP_NUMBER, type Trace, lastStep } from './trace.ts';

/** A trace of another app that is being extended. */
interface Extending {
  readonly trace: Trace;
  readonly app: AppTrace;
  readonly engine: StateEngine<AppSession>;
  /** The number of each kind of update. */
  readonly kinds: Map<string, number>;
  /** The result of the last frame, and its kind when it is an update. */
  decoded: (DecodedFrame<unknown> & { readonly kind?: string }) | undefined;
  /** The stack of an exception that belongs to the next step. */
  failure: string | undefined;
}

/** Extends an empty trace of another app: replays records with the adapter and records each step. */
export function extendAppTrace(trace: Trace): Extender {
  const app = appOf(trace);
  const adapter = guardAdapter(app.adapter, (stack) => (extending.failure = stack));
  const engine = createEngine(
    sessionOf({ ...adapter, decode: (data) => (extending.decoded = adapter.decode(data)) }),
    { onStep: (step) => addRelease(extending, step) },
  );
  const extending: Extending = {
    trace,
    app,
    engine,
    kinds: new Map(),
    decoded: undefined,
    failure: undefined,
  };
  return {
    take(record) {
      engine.pass(record);
      if (isFrame(record, 'recv')) takeReceived(extending, record, adapter.kind);
      else takeOther(extending, record);
      trace.recordSteps.push(lastStep(trace));
    },
    settle: (most) => engine.pass(END, most),
  };
}

interface Added {
  readonly t: number;
  readonly record: number;
  readonly isChanged?: boolean;
  readonly updateKind?: number;
}

function add(extending: Extending, kind: StepKind, added: Added): number {
  const { trace, app, engine } = extending;
  const { steps } = trace;
  const { counts, queue, state } = engine.state();
  steps.kinds.push(added.isChanged === true ? STEP_NUMBER[kind] | CHANGED : STEP_NUMBER[kind]);
  steps.updateKinds.push(added.updateKind ?? 0);
  steps.times.push(added.t);
  steps.records.push(added.record);
  steps.updates.push(counts.applied + counts.ignored);
  steps.queue.push(queue.length);
  const step = lastStep(trace);
  if (step % CHECKPOINT_STEPS === 0) app.checkpoints.push(state);
  if (extending.failure !== undefined) {
    app.failures.set(step, extending.failure);
    trace.errors.push(step);
    extending.failure = undefined;
  }
  return step;
}

/** Compares values, because a reducer can replace all references; parts with the same reference cost nothing. */
const isDifferent = (before: unknown, after: unknown): boolean => valueDiff(before, after).length > 0;

/** Adds the step of an update at its tick. */
function addRelease(
  extending: Extending,
  { number, tick, kind, effect, before, after }: Step<AppSession>,
): void {
  const { trace } = extending;
  const step = add(extending, effect, {
    t: tick,
    record: trace.updateRecords.at(number - 1),
    isChanged: effect === 'applied' && isDifferent(before.state, after.state),
    updateKind: numberOf(extending, kind),
  });
  if (effect === 'ignored') trace.ignored.push(step);
}

/** Returns the number of a kind of update, from 1. */
function numberOf({ app, kinds }: Extending, kind: string): number {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  kinds.set(kind, app.kinds.push(kind));
  return app.kinds.length;
}

function takeReceived(extending: Extending, record: FrameRecord, kindOf: (update: unknown) => string): void {
  const { trace, engine } = extending;
  engine.take(record);
  const { decoded } = extending;
  if (decoded === undefined) return;
  const place = { t: record.t, record: trace.recordSteps.length };
  if ('rejected' in decoded) {
    const isCounted = extending.failure !== undefined;
    const step = add(extending, 'rejected', place);
    trace.received.push(step);
    if (!isCounted) trace.errors.push(step);
    reject(trace, decoded.rejected, step);
    return;
  }
  const updateKind = numberOf(extending, kindOf(decoded.update));
  trace.received.push(add(extending, 'received', { ...place, updateKind }));
  const { updateRecords, updateBytes } = trace;
  updateRecords.push(place.record);
  updateBytes.push(updateBytes.at(updateBytes.length - 1) + frameBytes(record));
}

/** Adds the step of any record that is not a received frame. */
function takeOther(extending: Extending, record: CaptureRecord): void {
  const { trace, engine } = extending;
  const { connection, state } = engine.state();
  engine.take(record);
  const after = engine.state();
  const isConnectionChanged = isDifferent(connection, after.connection);
  const isChanged = isConnectionChanged || isDifferent(state, after.state);
  const place = { t: record.t, record: trace.recordSteps.length };
  const isCounted = extending.failure !== undefined;
  const step = add(extending, kindOfRecord(record), { ...place, isChanged });
  if (isConnectionChanged) trace.connections.push({ step, t: record.t, state: after.connection });
  if (record.type === 'launch') trace.launchStep ??= step;
  if (record.type === 'send') trace.sent.push(step);
  if (!isCounted && isKnown(record) && record.type === 'close' && !NORMAL.has(record.code))
    trace.errors.push(step);
}

/** The codes of a close that is not an error: normal, the page was left, and no code (RFC 6455 §7.4.1). */
const NORMAL: ReadonlySet<number> = new Set([1000, 1001, 1005]);
