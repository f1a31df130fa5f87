import type { ActsState } from '#shared/capture/actsState.ts';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { NO_WORDS, type Word } from '#shared/conversation/words.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { CountsState } from '#shared/store/counts.ts';
import type { QueueSize } from '#shared/store/queue.ts';
import { windowTitle } from '#shared/window/attention.ts';
import { frameText } from '#shared/replay/records.ts';
import { isFrame } from '../../../engine/frames.ts';
import { type ActsMark, CHECKPOINT_UPDATES, type ConnectionMark, type Trace } from './trace.ts';
import { countBelow, countUpTo } from './growableColumn.ts';
import { type RecordReader, recordReader } from './lineTable.ts';

/** The state after a step. */
export interface State extends ActsState {
  readonly attention: ActsState['attention'] & {
    /** The title of every window. */
    readonly title: string;
  };
  readonly person: string | null;
  readonly messages: Conversation['messages'];
  /** The words of the newest snapshot. */
  readonly words: readonly Word[];
  readonly counts: CountsState;
  readonly queue: QueueSize;
  readonly clock: Clock;
}

/** Milliseconds since the start of the recording. */
interface Clock {
  readonly time: number;
  /** The last used tick; 0 when there is none. */
  readonly tick: number;
}

/** Creates a reader of the records of a trace. */
export const traceReader = ({ lines, headerLine }: Trace): RecordReader => recordReader(lines, headerLine);

/** Decodes the update with a number, from 1. */
export function updateAt(trace: Trace, number: number, read: RecordReader): Update | undefined {
  const record = read(trace.updateRecords.at(number - 1));
  const update = isFrame(record, 'recv') ? decodeUpdate(frameText(record)) : undefined;
  return update === undefined || update.kind === 'rejected' ? undefined : update;
}

/** Applies one update. */
export function nextConversation(before: Conversation, update: Update | undefined): Conversation {
  return update !== undefined && hasTarget(before, update) ? applyUpdate(before, update) : before;
}

/** Computes the conversation after `updates` updates, from the previous checkpoint or a nearer conversation that the caller knows. */
export function conversationAfter(trace: Trace, updates: number, near?: KnownConversation): Conversation {
  const checkpoint = Math.floor(updates / CHECKPOINT_UPDATES);
  let from = checkpoint * CHECKPOINT_UPDATES;
  let conversation = trace.checkpoints[checkpoint - 1] ?? emptyConversation;
  if (near !== undefined && near.updates >= from && near.updates <= updates) {
    from = near.updates;
    ({ conversation } = near);
  }
  const read = traceReader(trace);
  for (let number = from + 1; number <= updates; number++) {
    conversation = nextConversation(conversation, updateAt(trace, number, read));
  }
  return conversation;
}

/** A conversation and the number of updates that it contains. */
export interface KnownConversation {
  readonly updates: number;
  readonly conversation: Conversation;
}

/** Returns the last mark at or before a step. Every list of marks begins with one of step 0. */
function markAt<M extends { readonly step: number }>(marks: readonly M[], step: number): M {
  let low = 1;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.step ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  const mark = marks[low - 1];
  if (mark === undefined) throw new Error('A trace has a mark of step 0.');
  return mark;
}

/** Returns the connection after a step and the time of its last change. */
export const connectionAt = ({ connections }: Trace, step: number): ConnectionMark =>
  markAt(connections, step);

/** Returns the slices that follow from actions, as they were after the last action up to a step. */
export const actsAt = ({ acts }: Trace, step: number): ActsMark => markAt(acts, step);

/** Returns the attention after a step: that of the last mark, and the messages that have arrived unread since then. */
export function attentionAt(trace: Trace, step: number): ActsState['attention'] {
  const { attention, step: since } = actsAt(trace, step);
  const arrived = countUpTo(trace.unread, step) - countUpTo(trace.unread, since);
  return arrived === 0 ? attention : { ...attention, unread: attention.unread + arrived };
}

/** Returns the attention after a step, with the title of the windows. */
export function titledAttentionAt(trace: Trace, step: number): State['attention'] {
  const attention = attentionAt(trace, step);
  return { ...attention, title: windowTitle(attention) };
}

/** Returns the counts after a step. */
export function countsAt(trace: Trace, step: number): CountsState {
  const ignored = countUpTo(trace.ignored, step);
  return {
    received: countUpTo(trace.received, step),
    sent: countUpTo(trace.sent, step),
    dropped: countUpTo(trace.dropped, step),
    applied: trace.steps.updates.at(step) - ignored,
    ignored,
    rejected: rejectedAt(trace, step),
  };
}

/** Returns the number of rejected frames after a step, by reason. */
export function rejectedAt(trace: Trace, step: number): Record<string, number> {
  const rejected: Record<string, number> = {};
  for (const [reason, steps] of trace.rejected) {
    const count = countUpTo(steps, step);
    if (count > 0) rejected[reason] = count;
  }
  return rejected;
}

/** Returns the number of applied updates after a step, without notifications. */
export const appliedUpdatesAt = (trace: Trace, step: number): number =>
  trace.steps.updates.at(step) - countUpTo(trace.ignored, step) - countUpTo(trace.notified, step);

/** Returns the words of the newest snapshot up to a step. */
export const wordsAt = ({ snapshots, snapshotWords }: Trace, step: number): readonly Word[] =>
  snapshotWords[countUpTo(snapshots, step) - 1] ?? NO_WORDS;

/** Returns the length and the size of the queue after a step. */
export function queueAt({ steps, updateBytes }: Trace, step: number): QueueSize {
  const released = steps.updates.at(step);
  const length = steps.queue.at(step);
  const upTo = (count: number) => (count === 0 ? 0 : updateBytes.at(count - 1));
  return { length, bytes: upTo(released + length) - upTo(released) };
}

/** Returns the step at which an update was released; the last step plus 1 when it never was. */
export const stepOfUpdate = ({ steps }: Trace, number: number): number => countBelow(steps.updates, number);

/** Returns the whole state after a step; `conversation` must be the one after it. */
export function stateAt(trace: Trace, step: number, conversation: Conversation): State {
  const { person, messages } = conversation;
  return { person, messages, ...nonConversationState(trace, step) };
}

/** Returns the state without the conversation. */
export function nonConversationState(trace: Trace, step: number): Omit<State, 'person' | 'messages'> {
  const { times, updates } = trace.steps;
  const { step: _step, launchedAt: _launchedAt, ...acts } = actsAt(trace, step);
  return {
    connection: connectionAt(trace, step).state,
    ...acts,
    words: wordsAt(trace, step),
    attention: titledAttentionAt(trace, step),
    counts: countsAt(trace, step),
    queue: queueAt(trace, step),
    clock: { time: times.at(step), tick: times.at(stepOfUpdate(trace, updates.at(step))) },
  };
}
