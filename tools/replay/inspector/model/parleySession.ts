import {
  type Conversation,
  type Message as StateMessage,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { emptyVector, itemAt, vectorOf } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Message } from '#shared/protocol/update.ts';
import { frameText } from '#shared/replay/records.ts';
import { slicesDiff, stateDiff } from '../../diff/stateDiff.ts';
import type { Change } from '../../diff/valueDiff.ts';
import type { ConversationView, ParleyView, StateTarget } from '../protocol/protocol.ts';
import { clip } from '#shared/clip.ts';
import { notificationText } from '#shared/store/selectors.ts';
import { parseExpression } from './search/expression.ts';
import { conversationWalk, expressionPredicate, fieldChangePredicate } from './search/statePredicates.ts';
import { type StepPredicate, messagePredicate } from './search/recordPredicates.ts';
import { MOST_CHANGES, type Session, type Sides } from './trace/session.ts';
import { arrivalsBetween } from './trace/arrivalsBetween.ts';
import { type Trace, lastStep, stepKindAt } from './trace/trace.ts';
import {
  type KnownConversation,
  conversationAfter,
  nonConversationState,
  stateAt,
} from './trace/traceState.ts';
import { describeRejection } from '../../base/describeUpdate.ts';
import { windowNumbers, windowView } from './windowView.ts';

/** The maximum length of the parts of a desktop notification, as the app shows it. */
const MOST_SHOWN = 500;

/** Creates the session of a trace of Parley. */
export function parleySession(trace: Trace): Session {
  const conversationAt = nearConversations(trace);
  return {
    trace,
    describe: () => ({
      messages: conversationAt(lastStep(trace)).messages.length,
      windows: windowNumbers(trace),
    }),
    placeAt: (step) => ({ shape: 'state', value: stateAt(trace, step, conversationAt(step)) }),
    changes: (sides) =>
      changesOf(trace, { ...sides, before: conversationAt(sides.base), after: conversationAt(sides.step) }),
    changesOfSteps: () => changesOfSteps(trace),
    picture({ step, base, messages, window }) {
      const after = conversationAt(step);
      return {
        parley: {
          conversation: conversationView(trace, { step, before: conversationAt(base), after }, messages),
          window: windowView(trace, step, window),
          notification: notificationAt(trace, step, after),
        },
      };
    },
    messages: (step, from, to) => ({
      messages: messagesBetween(conversationAt(step), from, to),
      arrivals: arrivalsBetween(trace, step, { from, to }),
    }),
    rejection(record) {
      const decoded = decodeUpdate(frameText(record));
      return decoded.kind === 'rejected' ? describeRejection(decoded) : undefined;
    },
    predicate: (target) => predicateFor(trace, target),
  };
}

const REMEMBERED = 4;

/** Returns a function that computes conversations from those of its last calls, because the next call is often near them. */
function nearConversations(trace: Trace): (step: number) => Conversation {
  let known: KnownConversation[] = [];
  return (step) => {
    const updates = trace.steps.updates.at(step);
    const near = known.filter((one) => one.updates <= updates).sort((a, b) => b.updates - a.updates)[0];
    const conversation = conversationAfter(trace, updates, near);
    known = [{ updates, conversation }, ...known.filter((one) => one.updates !== updates)].slice(
      0,
      REMEMBERED,
    );
    return conversation;
  };
}

function predicateFor(trace: Trace, target: StateTarget): StepPredicate {
  switch (target.kind) {
    case 'expression':
      return expressionPredicate(trace, parseExpression(target.expression));
    case 'change':
      return fieldChangePredicate(trace, target.path);
    case 'message':
      return messagePredicate(trace, target.id);
    default:
      return target satisfies never;
  }
}

/** Returns the desktop notification that a step showed. */
function notificationAt(trace: Trace, step: number, after: Conversation): ParleyView['notification'] {
  if (step === 0 || stepKindAt(trace, step) !== 'notification') return undefined;
  const { title, body } = notificationText(after);
  return { title: clip(title, MOST_SHOWN), body: clip(body, MOST_SHOWN) };
}

interface Compared extends Sides {
  readonly before: Conversation;
  readonly after: Conversation;
}

/** Returns the changes of the conversation, then of the slices of actions and the counts. */
function changesOf(trace: Trace, { step, base, before, after }: Compared): Change[] {
  return [...stateDiff(before, after, MOST_CHANGES), ...smallChanges(trace, base, step)];
}

function smallChanges(trace: Trace, base: number, step: number): Change[] {
  const [a, b] = [nonConversationState(trace, base), nonConversationState(trace, step)];
  const compared = ({ queue: _queue, clock: _clock, ...rest }: typeof a) => rest;
  return slicesDiff(compared(a), compared(b));
}

function changesOfSteps(trace: Trace): (step: number) => readonly Change[] {
  const conversationAt = conversationWalk(trace);
  return (step) => {
    const before = conversationAt(step - 1);
    return changesOf(trace, { step, base: step - 1, before, after: conversationAt(step) });
  };
}

type Drawn = Pick<Compared, 'step' | 'before' | 'after'>;

function conversationView(trace: Trace, { step, before, after }: Drawn, most: number): ConversationView {
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
    arrivals: arrivalsBetween(trace, step, { from: start, to: messages.length }),
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
function messagesBetween({ messages }: Conversation, from: number, to: number): Message[] {
  const result: Message[] = [];
  for (let i = Math.max(0, from); i < Math.min(to, messages.length); i++) {
    const message = itemAt(messages, i);
    if (message !== undefined) result.push(toFrame(message));
  }
  return result;
}
