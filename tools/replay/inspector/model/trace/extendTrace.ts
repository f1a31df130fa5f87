import { initialActs } from '#shared/capture/actsState.ts';
import { type CaptureRecord, type CloseRecord, isKnown } from '#shared/capture/format.ts';
import { wordsOf } from '#shared/conversation/words.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { ConnectionState } from '#shared/store/connection.ts';
import {
  type ParleyEngine,
  type ParleyStep,
  type ReplayState,
  createParleyEngine,
} from '../../../engine/parley.ts';
import type { Rejection } from '../../../engine/sessionAdapter.ts';
import { END } from '../../../engine/nextRelease.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import {
  CHANGED,
  CHECKPOINT_UPDATES,
  type Trace,
  STEP_NUMBER,
  UPDATE_NUMBER,
  lastStep,
  markedActs,
} from './trace.ts';
import { actsAt } from './traceState.ts';
import { growableColumn } from './growableColumn.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const NAMES = Object.keys(markedActs(initialActs)) as readonly (keyof ReturnType<typeof markedActs>)[];

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
  readonly fold: ParleyEngine;
  /** The result of the last frame. */
  decoded: Update | Rejection | undefined;
}

/**
 * Folds records with the engine of the replay and records each step. The fold reports when an update is released and what a
 * frame was decoded to, so each frame is decoded once.
 * @param start the state of the fold at the end of the trace; omitted for an empty trace.
 */
export function extendTrace(trace: Trace, start?: ReplayState): Extender {
  const fold = createParleyEngine({
    onUpdate: (update) => (extending.decoded = update),
    onRejected: (rejection) => (extending.decoded = rejection),
    onStep: (step) => addRelease(extending, step),
    ...(start && { start }),
  });
  const extending: Extending = { trace, fold, decoded: undefined };
  return {
    take: (record) => take(extending, record),
    // Updates that waited when the session ended were never applied.
    settle: (most) => trace.endedAt === undefined && fold.pass(END, most),
  };
}

function take(extending: Extending, record: CaptureRecord): void {
  const { trace, fold } = extending;
  const index = trace.recordSteps.length;
  if (trace.endedAt !== undefined) {
    trace.recordSteps.push(add(extending, 'other', { t: record.t, record: index }));
    return;
  }
  fold.pass(record);
  if (record.type === 'recv') takeReceived(extending, record);
  else takeOther(extending, record);
  trace.recordSteps.push(lastStep(trace));
}

/** Takes a frame from the platform, which changes only the queue and the counts. */
function takeReceived(extending: Extending, record: CaptureRecord): void {
  const { fold } = extending;
  const { bytes } = fold.state().queue;
  takeIn(extending, record);
  addReceived(extending, record.t, fold.state().queue.bytes - bytes);
}

function takeOther(extending: Extending, record: CaptureRecord): void {
  const { attention, connection, counts } = extending.fold.state();
  const { dropped } = counts;
  takeIn(extending, record);
  addOther(extending, record, { connection, dropped, isChanged: markActs(extending, attention) });
}

function takeIn({ trace, fold }: Extending, record: CaptureRecord): void {
  if (!fold.take(record)) trace.endedAt = trace.recordSteps.length;
}

/**
 * Stores the slices that follow from actions when the last record, whose step is the next one, has changed them.
 * @param attention the attention before the record.
 * @returns whether it changed one of them.
 */
function markActs({ trace, fold }: Extending, attention: ReplayState['attention']): boolean {
  const acts = markedActs(fold.state());
  const launchedAt = fold.state().queue.launchedAt ?? 0;
  const { step: _step, launchedAt: launchedBefore, ...mark } = actsAt(trace, lastStep(trace) + 1);
  const before = { ...mark, attention };
  const isSame = NAMES.every((name) => before[name] === acts[name]);
  if (isSame && launchedBefore === launchedAt) return false;
  trace.acts.push({ step: lastStep(trace) + 1, launchedAt, ...acts });
  return !isSame && !isSameJson(before, acts);
}

function add({ trace, fold }: Extending, kind: StepKind, added: Added): number {
  const { t, record, isChanged = false, updateKind = 0 } = added;
  const { steps } = trace;
  const { counts, queue } = fold.state();
  steps.kinds.push(isChanged ? STEP_NUMBER[kind] | CHANGED : STEP_NUMBER[kind]);
  steps.updateKinds.push(updateKind);
  steps.times.push(t);
  steps.records.push(record);
  steps.updates.push(counts.applied + counts.ignored);
  steps.queue.push(queue.length);
  return lastStep(trace);
}

/** Adds the step of an update at its tick. */
function addRelease(extending: Extending, step: ParleyStep): void {
  const { trace } = extending;
  const { number, tick: t, update, effect, before, after } = step;
  const record = trace.updateRecords.at(number - 1);
  const updateKind = UPDATE_NUMBER[update.kind];
  const index = add(extending, kindOfRelease(step), {
    t,
    record,
    isChanged: changesConversation(step),
    updateKind,
  });
  if (effect === 'ignored') trace.ignored.push(index);
  else if (update.kind === 'notification') trace.notified.push(index);
  else if (update.kind === 'message') trace.messages.push(index);
  else if (update.kind === 'snapshot') {
    trace.snapshots.push(index);
    trace.snapshotArrivals.push(after.arrivals);
    trace.snapshotWords.push(wordsOf(update.frame));
  }
  if (after.attention.unread > before.attention.unread) trace.unread.push(index);
  if (number % CHECKPOINT_UPDATES === 0) trace.checkpoints.push(after.conversation);
}

/** Adds the step of a frame from the platform; `bytes` is its size in the queue. */
function addReceived(extending: Extending, t: number, bytes: number): void {
  const { trace, decoded } = extending;
  if (decoded === undefined) return;
  const record = trace.recordSteps.length;
  if ('reason' in decoded) {
    const step = add(extending, 'rejected', { t, record });
    trace.received.push(step);
    trace.errors.push(step);
    reject(trace, decoded.reason, step);
    return;
  }
  const { updateRecords, updateBytes } = trace;
  trace.received.push(add(extending, 'received', { t, record, updateKind: UPDATE_NUMBER[decoded.kind] }));
  updateRecords.push(record);
  updateBytes.push(updateBytes.at(updateBytes.length - 1) + bytes);
}

/** Adds the step of any other record. */
function addOther(extending: Extending, record: CaptureRecord, before: Before): void {
  const { trace, fold } = extending;
  const { t } = record;
  const { connection, counts } = fold.state();
  const isConnectionChanged = !isSameJson(before.connection, connection);
  const isChanged = isConnectionChanged || before.isChanged;
  const step = add(extending, kindOfRecord(record), { t, record: trace.recordSteps.length, isChanged });
  if (record.type === 'launch') trace.launchStep ??= step;
  if (isConnectionChanged) trace.connections.push({ step, t, state: connection });
  if (record.type === 'send') trace.sent.push(step);
  if (isKnown(record) && record.type === 'close' && !isSignOut(record)) trace.errors.push(step);
  if (counts.dropped > before.dropped) trace.dropped.push(step);
}

const SIGN_OUT = { code: 1000, reason: 'logout' } as const;

const isSignOut = ({ code, reason }: CloseRecord): boolean =>
  code === SIGN_OUT.code && reason === SIGN_OUT.reason;

/** Adds a rejected frame to a trace. */
export function reject({ rejected }: Trace, reason: string, step: number): void {
  const steps = rejected.get(reason) ?? growableColumn('whole');
  steps.push(step);
  rejected.set(reason, steps);
}

interface Added {
  readonly t: number;
  readonly record: number;
  readonly isChanged?: boolean;
  readonly updateKind?: number;
}

/** What a record that is not a received frame can change. */
interface Before {
  readonly connection: ConnectionState;
  readonly dropped: number;
  /** Whether the record changed the slices that follow from actions. */
  readonly isChanged: boolean;
}

function kindOfRelease({ effect, update }: ParleyStep): StepKind {
  if (effect === 'ignored') return 'ignored';
  return update.kind === 'notification' ? 'notification' : 'applied';
}

/** Returns whether an update changed the conversation; a snapshot replaces all references, so its values are compared. */
function changesConversation({ before, after, update }: ParleyStep): boolean {
  if (before.conversation === after.conversation) return false;
  return update.kind !== 'snapshot' || stateDiff(before.conversation, after.conversation, 1).length > 0;
}

/** Returns the kind of the step of a record that is not a rejected frame. */
export function kindOfRecord(record: CaptureRecord): StepKind {
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
