import { timeSinceLaunch } from '#shared/capture/captureTime.ts';
import { frameBytes, isFrame } from '../../../engine/frames.ts';
import type { ReplayState } from '../../../engine/parley.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { type Fifo, emptyFifo, enqueue } from '#shared/fifo.ts';
import { NO_FIELDS, type SnapshotFields, unusedFields } from '#shared/store/conversation.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { CHECKPOINT_UPDATES, type Trace, lastStep } from './trace.ts';
import {
  actsAt,
  appliedUpdatesAt,
  attentionAt,
  conversationAfter,
  nonConversationState,
  traceReader,
  updateAt,
} from './traceState.ts';
import { arrivalsBetween } from './arrivalsBetween.ts';
import { countBelow, countUpTo } from './growableColumn.ts';
import { copyLines, truncateLines } from './lineTable.ts';

/**
 * Rewinds a trace to its state after the first `records` records.
 * @returns the state from which a fold continues.
 */
export function rewindTrace(trace: Trace, records: number): ReplayState {
  const step = records === 0 ? 0 : trace.recordSteps.at(records - 1);
  const updates = trace.steps.updates.at(step);
  for (const column of Object.values(trace.steps)) column.truncate(step + 1);
  truncateLines(trace.lines, records);
  trace.recordSteps.truncate(records);
  const received = countBelow(trace.updateRecords, records);
  trace.updateRecords.truncate(received);
  trace.updateBytes.truncate(received);
  trace.checkpoints.length = Math.floor(updates / CHECKPOINT_UPDATES);
  for (const marks of [trace.connections, trace.acts]) while ((marks.at(-1)?.step ?? 0) > step) marks.pop();
  const { received: arrived, sent, dropped, ignored, notified, unread, messages } = trace;
  const { snapshots, errors, rejected } = trace;
  for (const steps of [
    arrived,
    sent,
    dropped,
    ignored,
    notified,
    unread,
    messages,
    snapshots,
    errors,
    ...rejected.values(),
  ]) {
    steps.truncate(countUpTo(steps, step));
  }
  trace.snapshotArrivals.length = snapshots.length;
  trace.snapshotWords.length = snapshots.length;
  if ((trace.launchStep ?? 0) > step) trace.launchStep = undefined;
  if (trace.endedAt !== undefined && trace.endedAt >= records) trace.endedAt = undefined;
  return foldStart(trace);
}

/** Copies the first `records` records into an independent trace; returns it with the state from which a fold continues. */
export function branchTrace(trace: Trace, records: number): { trace: Trace; start: ReplayState } {
  const { steps, lines, checkpoints, connections, rejected } = trace;
  const whole = Infinity;
  const branch: Trace = {
    ...trace,
    lines: copyLines(lines, whole),
    steps: {
      kinds: steps.kinds.copy(whole),
      updateKinds: steps.updateKinds.copy(whole),
      times: steps.times.copy(whole),
      records: steps.records.copy(whole),
      updates: steps.updates.copy(whole),
      queue: steps.queue.copy(whole),
    },
    recordSteps: trace.recordSteps.copy(whole),
    updateRecords: trace.updateRecords.copy(whole),
    updateBytes: trace.updateBytes.copy(whole),
    checkpoints: [...checkpoints],
    connections: [...connections],
    acts: [...trace.acts],
    received: trace.received.copy(whole),
    sent: trace.sent.copy(whole),
    dropped: trace.dropped.copy(whole),
    ignored: trace.ignored.copy(whole),
    notified: trace.notified.copy(whole),
    unread: trace.unread.copy(whole),
    messages: trace.messages.copy(whole),
    snapshots: trace.snapshots.copy(whole),
    snapshotArrivals: [...trace.snapshotArrivals],
    snapshotWords: [...trace.snapshotWords],
    errors: trace.errors.copy(whole),
    rejected: new Map(Array.from(rejected, ([reason, at]) => [reason, at.copy(whole)])),
    warnings: [...trace.warnings],
  };
  return { trace: branch, start: rewindTrace(branch, records) };
}

/** Returns the state of the fold at the last step of the trace. Waiting updates are decoded again. */
function foldStart(trace: Trace): ReplayState {
  const step = lastStep(trace);
  const updates = trace.steps.updates.at(step);
  const { counts, queue, clock, ...acts } = nonConversationState(trace, step);
  const { launchedAt } = actsAt(trace, step);
  const conversation = conversationAfter(trace, updates);
  const waiting = waitingAfter(trace, updates, launchedAt);
  const lastTick = updates === 0 ? 0 : timeSinceLaunch(clock.tick, launchedAt);
  return {
    conversation,
    arrivals: vectorOf(arrivalsBetween(trace, step, { from: 0, to: conversation.messages.length })),
    ...acts,
    attention: attentionAt(trace, step),
    appliedUpdates: appliedUpdatesAt(trace, step),
    snapshotFields: snapshotFieldsAt(trace),
    counts,
    queue: { ...queue, launchedAt, lastTick, waiting },
  };
}

/** Returns the fields of the newest snapshot that Parley does not use. */
function snapshotFieldsAt(trace: Trace): SnapshotFields {
  const { snapshots, steps } = trace;
  if (snapshots.length === 0) return NO_FIELDS;
  const number = steps.updates.at(snapshots.at(snapshots.length - 1));
  const update = updateAt(trace, number, traceReader(trace));
  return update?.kind === 'snapshot' ? unusedFields(update.frame) : NO_FIELDS;
}

function waitingAfter(trace: Trace, updates: number, launchedAt: number): Fifo<ReceivedUpdate> {
  const read = traceReader(trace);
  let waiting: Fifo<ReceivedUpdate> = emptyFifo();
  for (let number = updates + 1; number <= trace.updateRecords.length; number++) {
    const update = updateAt(trace, number, read);
    const record = read(trace.updateRecords.at(number - 1));
    if (update === undefined || !isFrame(record, 'recv')) continue;
    const at = timeSinceLaunch(record.t, launchedAt);
    waiting = enqueue(waiting, { update, bytes: frameBytes(record), at });
  }
  return waiting;
}
