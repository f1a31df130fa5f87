import type { Action } from '@reduxjs/toolkit';
import { frameRejected, updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import type { CloseRecord, FrameRecord } from '#shared/capture/captureFormat.ts';
import { clip } from '#shared/formatText.ts';
import { currentItem, notificationText } from '#shared/conversation/applyUpdate.ts';
import {
  type Conversation,
  type Message as StateMessage,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { emptyVector, itemAt, toArray, vectorOf } from '#shared/conversation/vector.ts';
import { decodeUpdate, type Message, type Update } from '#shared/protocol/update.ts';
import { parleyAdapter, frameText, type ReplayState } from '#shared/replay/adapter.ts';
import { isOfType } from '#shared/isOfType.ts';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import { backlogOf, type TimesOfDay } from '#shared/store/sharedSlices.ts';
import { noNotices } from '#shared/store/notices.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { initialWindowState } from '#shared/store/windowState.ts';
import { REJECT_REASONS, describeUpdate } from '../../../base/describeUpdate.ts';
import { slicesDiff, stateDiff } from '../../../diff/stateDiff.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import type { ConversationView, InspectedApp, Moment, WindowView } from '../trace/app.ts';
import { LongList } from '../trace/stateTree.ts';
import { decodeThrew, guardOf } from './guardOf.ts';

/** The slices that a person sees beside the conversation. */
const SLICES = [
  'connection',
  'wasConnected',
  'backlog',
  'audio',
  'preferences',
  'attention',
  'windows',
  'words',
  'counts',
] as const;

/** The slices that a step can change visibly. */
const SEEN = SLICES.filter((name) => name !== 'counts');

type Adapter = ReturnType<typeof parleyAdapter>;

/** Returns Parley, as the inspector shows it. @param session its session. */
export function inspectedParley(
  session: Adapter = parleyAdapter(),
): InspectedApp<ReplayState, Update, Action> {
  return { ...guardedSession(session), ...shownParts };
}

/**
 * Returns a session whose exceptions are results, as those of an adapter: a frame whose decoding throws is rejected, an update whose reducer throws is
 * ignored, another action whose reducer throws leaves the state unchanged, and no update is released while the queue throws.
 */
function guardedSession(session: Adapter) {
  const { guard, takeFailure } = guardOf(session);
  return {
    ...session,
    codeName: 'the app',
    takeFailure,
    take: guard(session.take, (stack, [, , bytes]) => {
      const reason = decodeThrew(stack);
      return { actions: [{ type: frameRejected.type, payload: { reason, bytes } }], rejected: { reason } };
    }),
    next: guard(session.next, () => undefined),
    release: guard(session.release, (_, [state, tick]) => session.failedRelease?.(state, tick) ?? []),
    reduce: guard(session.reduce, (_, [state, action]) =>
      isOfType(action, updateApplied) ? session.reduce(state, updateIgnored(action.payload)) : state,
    ),
    notification: guard(session.notification, () => undefined),
    describeAction: guard(session.describeAction, () => ({ text: '' })),
  };
}

/** What the inspector shows of a session. */
const shownParts: Omit<
  InspectedApp<ReplayState, Update, Action>,
  keyof Adapter | 'takeFailure' | 'codeName'
> = {
  names: ['person', 'messages', ...SLICES],
  part(name, state) {
    if (name === 'person') return state.conversation.person;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other names are those of slices
    return name === 'messages' ? state.conversation.messages : state[name as (typeof SLICES)[number]];
  },
  keptLists: new Set(['messages']),
  value(name, state) {
    if (name === 'person') return state.conversation.person;
    return name === 'messages' ? messageList(state.conversation.messages) : slicesOf(state)[name];
  },
  changes: (before, after, limit) => [
    ...stateDiff(before.conversation, after.conversation, limit),
    ...slicesDiff(slicesOf(before), slicesOf(after)),
  ],
  contentChanges: (before, after, limit) => stateDiff(before.conversation, after.conversation, limit),
  isChanged: (before, after, update) =>
    isConversationChanged(before.conversation, after.conversation, update) ||
    SEEN.some((name) => before[name] !== after[name] && !isSameJson(before[name], after[name])),
  describe: ({ conversation }) => ({ messages: conversation.messages.length }),
  picture(moment) {
    const window = windowView(moment);
    const notification = moment.isNotification ? shownNotification(moment.after.conversation) : undefined;
    return { parley: { conversation: conversationView(moment, window), window, notification } };
  },
  describeFrame: (frame, length, update) =>
    update === undefined ? describeSent(frame, length) : describeUpdate(update, length),
  describeReason: (reason) => (isReason(reason) ? REJECT_REASONS[reason] : reason),
  describeEffect(update, before, after) {
    if (update.kind === 'text') return addedText(update.frame.text ?? '', before().conversation);
    if (update.kind !== 'notification') return undefined;
    const { title, body } = notificationText(after().conversation);
    return [title, body].filter((part) => part !== '').join(': ');
  },
  isExpectedClose: ({ code, reason }: CloseRecord) => code === 1000 && reason === 'logout',
  mark: ({ windows, audio: { isRecording } }) => ({ windows: Object.keys(windows).map(Number), isRecording }),
  messageIds({ kind, frame }) {
    if (kind === 'message') return [frame.id];
    return kind === 'snapshot' ? (frame.messages ?? []).map(({ id }) => id) : [];
  },
};

/** Parley, as the inspector shows it. */
export const parleyApp = inspectedParley();

const isReason = (reason: string): reason is keyof typeof REJECT_REASONS => reason in REJECT_REASONS;

/** Returns the slices, with the title of the windows. */
function slicesOf(state: ReplayState): Pick<ReplayState, (typeof SLICES)[number]> & Record<string, unknown> {
  const { connection, wasConnected, backlog, audio, preferences, windows, words, counts } = state;
  const attention = { ...state.attention, title: windowTitle(state.attention) };
  return { connection, wasConnected, backlog, audio, preferences, attention, windows, words, counts };
}

const messageList = lastResult(
  (messages: Conversation['messages']): LongList =>
    // The vector of messages.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    new LongList(messages, (item) => messageOf(item as StateMessage)),
);

const messageOf = lastResult((message: StateMessage): object =>
  message.content === undefined ? message : { ...message, content: new LongList(message.content) },
);

/** Keeps the last result of a function: one value that is read at each step keeps its reference while it does not change. */
function lastResult<T, R>(compute: (value: T) => R): (value: T) => R {
  let last: { readonly value: T; readonly result: R } | undefined;
  return (value) => (last?.value === value ? last : (last = { value, result: compute(value) })).result;
}

/** Returns whether an update changed the conversation; a snapshot replaces all references, so its values are compared. */
const isConversationChanged = (before: Conversation, after: Conversation, update?: Update): boolean =>
  before !== after &&
  ((update !== undefined && update.kind !== 'snapshot') || stateDiff(before, after, 1).length > 0);

/** Describes a frame of the client, which looks like a content item (spec §2.3). */
function describeSent(frame: FrameRecord, length: number): string {
  const sent = decodeUpdate(frameText(frame));
  return sent.kind === 'content' ? describeUpdate(sent, length) : frame.data.slice(0, length);
}

/** Returns what a text update adds to the text of the last content item: the new end of a streamed text, after `…`. Another text is returned whole. */
function addedText(text: string, before: Conversation): string {
  const old = currentItem(before)?.text ?? '';
  return old !== '' && text.length > old.length && text.startsWith(old) ? `…${text.slice(old.length)}` : text;
}

/** The maximum length of the parts of a desktop notification, as the app shows it. */
const MOST_SHOWN = 500;

function shownNotification(conversation: Conversation) {
  const { title, body } = notificationText(conversation);
  return { title: clip(title, MOST_SHOWN), body: clip(body, MOST_SHOWN) };
}

function conversationView(
  { before, after, ...limits }: Moment<ReplayState>,
  window: WindowView,
): ConversationView {
  const { person, messages } = after.conversation;
  const total = messages.length;
  const most = Math.min(limits.messages, countFilling(messages, limits.room));
  const start = Math.max(0, total - Math.max(MOST_MESSAGES, most), firstShown(window, total) - most);
  const changed: number[] = [];
  for (let i = start; i < total; i++)
    if (isDifferent(itemAt(before.conversation.messages, i), itemAt(messages, i))) changed.push(i);
  return { person, total, start, ...messagesFrom(after, start), changed };
}

/** The least heights of the parts of a message, as shares of the height of a message of one line. */
const HEIGHTS = { message: 0.25, item: 0.35, line: 0.4 };
/** The number of characters that fit into a line of an item, whose width has a limit. */
const LINE_LENGTH = 80;
/** The number of lines of a text that count: a part of it, such as an address, may be invisible. */
const MOST_LINES = 8;

/** Returns how many of the newest messages fill a room of messages of one line. To draw more takes half of the time of a step. */
function countFilling(messages: Conversation['messages'], room: number): number {
  let count = 0;
  for (let left = room; left > 0 && count < messages.length; count++)
    left -= heightOf(itemAt(messages, messages.length - 1 - count));
  return count;
}

function heightOf(message: StateMessage | undefined): number {
  const items = message?.content === undefined ? [] : toArray(message.content);
  const lines = items.map(({ category, text }) =>
    category === 'text' ? Math.min(MOST_LINES, Math.ceil((text ?? '').length / LINE_LENGTH)) : 1,
  );
  return lines.reduce((sum, count) => sum + HEIGHTS.item + HEIGHTS.line * count, HEIGHTS.message);
}

/** A place that is further up is not shown: drawing takes time at each step. */
const MOST_MESSAGES = 2000;

/** Returns the index of the first message at which the window is or of which it shows more; `total` when the newest messages are all that it shows. */
function firstShown({ state: { own } }: WindowView, total: number): number {
  const shown = [
    own.scrolledTo?.message,
    own.viewer?.message,
    own.find?.hit?.message,
    own.messageMenu ?? undefined,
  ];
  const first = Math.min(...shown.filter((message) => message !== undefined), total);
  // A list that is long in the window is long in its picture.
  return first === total ? total : Math.min(first, total - MESSAGES_IN_DOCUMENT);
}

/** Compares values, not only references, because a snapshot replaces all references. */
const isDifferent = (before: StateMessage | undefined, after: StateMessage | undefined): boolean =>
  before !== after && stateDiff(only(before), only(after), 1).length > 0;

const only = (message: StateMessage | undefined): Conversation => ({
  ...emptyConversation,
  messages: message === undefined ? emptyVector() : vectorOf([message]),
});

/** Returns the messages from an index on in the form of spec §2.5, and when they arrived. */
function messagesFrom({ conversation, arrivals }: ReplayState, first: number) {
  const messages: Message[] = [];
  const times: (number | null)[] = [];
  for (let i = first; i < conversation.messages.length; i++) {
    const message = itemAt(conversation.messages, i);
    if (message !== undefined) messages.push(toFrame(message));
    times.push(itemAt(arrivals, i) ?? null);
  }
  return { messages, arrivals: times };
}

/**
 * Returns what a window showed after a step, without the conversation: of the chosen window while it was open, otherwise of the first open one.
 * While none was open, and in captures without windows, it is what a window would show.
 */
function windowView(moment: Moment<ReplayState>): WindowView {
  const { connection, wasConnected, words, appliedUpdates, preferences, audio, backlog, windows, queue } =
    moment.after;
  const numbers = Object.keys(windows).map(Number);
  const number = numbers.find((one) => one === moment.window) ?? numbers[0] ?? null;
  const window = number === null ? undefined : windows[number];
  return {
    number,
    isVisible: window?.isVisible !== false,
    isMinimized: window?.isMinimized === true,
    recordedMs: recordedMs(moment),
    state: {
      sequence: 0,
      timesOfDay: timesOfDay(moment),
      notices: noNotices,
      connection,
      wasConnected,
      words,
      appliedUpdates,
      preferences,
      audio,
      // A capture without windows has no reports of the backlog either.
      backlog: window === undefined ? backlogOf(queue.length) : backlog,
      own: window?.own ?? defaultWindowState(moment),
    },
  };
}

/** Returns the time of day of the launch: that of the start of the recording, and the time since then. */
function timesOfDay({ startedAt, after }: Moment<ReplayState>): TimesOfDay {
  const start = Date.parse(startedAt);
  return Number.isNaN(start) ? [] : [{ sinceLaunch: 0, timeOfDay: start + (after.queue.launchedAt ?? 0) }];
}

/** Returns the own state of a window that shows the session: the conversation from the launch on. */
const defaultWindowState = ({ isLaunched }: Moment<ReplayState>): WindowState =>
  isLaunched ? { ...initialWindowState, view: 'conversation' } : initialWindowState;

/** Returns how long the recording that runs after a step has lasted, in milliseconds; 0 when none runs. */
function recordedMs({ t, marks }: Moment<ReplayState>): number {
  const start = marks[marks.findLastIndex(({ isRecording }) => !isRecording) + 1];
  return start === undefined ? 0 : t - start.t;
}
