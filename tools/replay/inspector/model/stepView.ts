import {
  type Conversation,
  type Message as StateMessage,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { emptyVector, itemAt, vectorOf } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import { frameText } from '../../engine/actions.ts';
import { stateDiff } from '../../diff/stateDiff.ts';
import { type Change, valueDiff } from '../../diff/valueDiff.ts';
import type { Branch, ConversationView, StepView, Wire } from '../protocol/protocol.ts';
import { clip } from '#shared/clip.ts';
import { notificationText } from '#shared/store/selectors.ts';
import { type Trace, stepKindAt } from './trace/trace.ts';
import { nonConversationState, traceReader } from './trace/traceState.ts';
import { isFrameRecord, stepRow, wireBytes } from './trace/stepRow.ts';
import { describeRejection } from '../../describe/describeRejection.ts';
import { wireText } from './search/textMatch.ts';
import { windowView } from './windowView.ts';

const MOST_CHANGES = 500;
/** The maximum length of the parts of a desktop notification, as the app shows it. */
const MOST_SHOWN = 500;

/** A step, the step that it is compared with, and the conversations after both. */
interface Viewed {
  readonly branch: Branch;
  readonly step: number;
  readonly base: number;
  readonly before: Conversation;
  readonly after: Conversation;
  /** The number of newest messages to show. */
  readonly messages: number;
  /** The number of the chosen window. */
  readonly window: number | undefined;
}

/** Returns everything that the panes show of one step. */
export function stepView(
  trace: Trace,
  { branch, step, base, before, after, messages, window }: Viewed,
): Omit<StepView, 'editable'> {
  const read = traceReader(trace);
  const record = step === 0 ? undefined : read(trace.steps.records.at(step));
  return {
    branch,
    step,
    base,
    row: record && stepRow(trace, step, { record, read }),
    notification: notificationAt(trace, step, after),
    wire: record && wireOf(trace, step, record),
    ...changesOf(trace, { step, base, before, after }),
    conversation: conversationView(before, after, messages),
    window: windowView(trace, step, window),
    waiting: trace.steps.queue.at(step),
  };
}

/** Returns the desktop notification that a step showed. */
function notificationAt(trace: Trace, step: number, after: Conversation): StepView['notification'] {
  if (step === 0 || stepKindAt(trace, step) !== 'notification') return undefined;
  const { title, body } = notificationText(after);
  return { title: clip(title, MOST_SHOWN), body: clip(body, MOST_SHOWN) };
}

function wireOf({ lines, steps }: Trace, step: number, record: CaptureRecord): Wire {
  const index = steps.records.at(step);
  const text = wireText(lines, record, index);
  if (!isFrameRecord(record))
    return { direction: 'none', text, bytes: lines.bytes.at(index), encoding: 'text' };
  const decoded = record.type === 'recv' ? decodeUpdate(frameText(record)) : undefined;
  return {
    direction: record.type === 'recv' ? 'received' : 'sent',
    text,
    bytes: wireBytes(record),
    encoding: record.encoding ?? 'text',
    ...(decoded?.kind === 'rejected' && { rejection: describeRejection(decoded) }),
  };
}

type Sides = Pick<Viewed, 'step' | 'base' | 'before' | 'after'>;

/** Returns the changes of the conversation, then of the slices of actions and the counts. A long difference is not counted completely. */
export function changesOf(
  trace: Trace,
  { step, base, before, after }: Sides,
): Pick<StepView, 'diff' | 'diffTotal'> {
  const small = smallChanges(trace, base, step);
  const all = [...stateDiff(before, after, MOST_CHANGES), ...small];
  return { diff: all.slice(0, MOST_CHANGES), diffTotal: all.length < MOST_CHANGES ? all.length : -1 };
}

function smallChanges(trace: Trace, base: number, step: number): Change[] {
  const [a, b] = [nonConversationState(trace, base), nonConversationState(trace, step)];
  const compared = ({ queue: _queue, clock: _clock, ...rest }: typeof a) => rest;
  return valueDiff(compared(a), compared(b));
}

function conversationView(before: Conversation, after: Conversation, most: number): ConversationView {
  const { person, messages } = after;
  const start = Math.max(0, messages.length - most);
  const changed: number[] = [];
  for (let i = start; i < messages.length; i++)
    if (isDifferent(before.messages, messages, i)) changed.push(i);
  return {
    person,
    total: messages.length,
    start,
    messages: messagesBetween(after, start, messages.length),
    changed,
  };
}

/** Compares values, not only references, because a snapshot replaces all references. */
function isDifferent(
  before: Conversation['messages'],
  after: Conversation['messages'],
  index: number,
): boolean {
  const [a, b] = [itemAt(before, index), itemAt(after, index)];
  return a !== b && stateDiff(only(a), only(b), 1).length > 0;
}

const only = (message: StateMessage | undefined): Conversation => ({
  ...emptyConversation,
  messages: message === undefined ? emptyVector() : vectorOf([message]),
});

/** Returns messages of a conversation in the form of spec §2.5. */
export function messagesBetween({ messages }: Conversation, from: number, to: number): Message[] {
  const result: Message[] = [];
  for (let i = Math.max(0, from); i < Math.min(to, messages.length); i++) {
    const message = itemAt(messages, i);
    if (message !== undefined) result.push(toFrame(message));
  }
  return result;
}
