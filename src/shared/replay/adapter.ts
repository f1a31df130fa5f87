import { type Action, type UnknownAction, type Reducer, combineReducers } from '@reduxjs/toolkit';
import { messageSent } from '../actions/mainActions.ts';
import {
  frameRejected,
  sessionLaunched,
  updateReceived,
  connectionClosed,
  connectionOpened,
  sessionEnded,
  updateApplied,
  updateIgnored,
} from '../actions/sessionActions.ts';
import {
  timeSinceLaunch,
  type CaptureRecord,
  type FrameRecord,
  type ActionRecord,
  isKnown,
} from '../capture/captureFormat.ts';
import { recordedAction, actsPart, initialActs } from '../capture/recordedActions.ts';
import { fromSnapshot, countKnownMessages, type Conversation } from '../conversation/conversation.ts';
import { oldest, toList } from '../fifo.ts';
import { isOfType } from '../isOfType.ts';
import type { Update } from '../protocol/update.ts';
import { snapshotFieldsReducer } from '../store/conversationSlices.ts';
import { attentionReducer, windowsReducer } from '../store/openWindows.ts';
import { inSession } from '../store/inSession.ts';
import {
  RELEASE_RULES,
  type ReleaseRules,
  failedRelease,
  nextRelease,
  releaseAction,
} from '../store/queue.ts';
import { replayedReducers } from '../store/rootReducer.ts';
import { type ReplayCode, appCode } from './code.ts';
import { actionError, describeAction } from '../capture/describeAction.ts';

/** Creates the adapter with which the replay tool replays Parley. @param code the app's own code, or that of another revision. */
export function parleyAdapter(code: ReplayCode = appCode) {
  const reduce = reducerOf(code);
  const rules = code === appCode ? RELEASE_RULES : rulesOf(code);

  const received = (record: FrameRecord, { queue }: ReplayState, bytes: number) => {
    const update = code.decodeUpdate(frameText(record));
    if (update.kind === 'rejected')
      return { actions: [frameRejected({ reason: update.reason, bytes })], rejected: update };
    const at = timeSinceLaunch(record.t, queue.launchedAt ?? 0);
    return { actions: [{ type: updateReceived.type, payload: { update, bytes, at } }], update };
  };
  const released = ({ queue }: ReplayState, tick: number) => {
    const waiting = oldest(queue.waiting);
    return waiting && { received: waiting, tick: rules.tickBefore(tick) };
  };
  return {
    name: 'Parley',
    kind: ({ kind }: Update): string => kind,
    describeAction,
    actionError,
    initialState: reduce(undefined, sessionLaunched({ launchedAt: 0 })),
    reduce: (state: ReplayState, action: Action) => reduce(state, action),
    endsSession,
    take: (record: CaptureRecord, state: ReplayState, bytes: number) =>
      isReceived(record) ? received(record, state, bytes) : other(record, state),
    next(state: ReplayState) {
      const release = nextRelease(state, rules);
      if (release === undefined) return undefined;
      const { update, bytes, at } = release.received;
      return { update, bytes, at, tick: release.due };
    },
    release(state: ReplayState, tick: number): readonly Action[] {
      const one = released(state, tick);
      return one === undefined ? NO_ACTIONS : [releaseAction(state, one, rules)];
    },
    // Only the working tree's code is that which runs.
    ...(code === appCode && {
      failedRelease(state: ReplayState, tick: number): readonly Action[] {
        const one = released(state, tick);
        return one === undefined ? NO_ACTIONS : [failedRelease(one)];
      },
    }),
    waiting: ({ queue }: ReplayState): readonly Update[] => toList(queue.waiting).map(({ update }) => update),
    /** Returns the text of the notification that an applied update shows. */
    notification: ({ kind }: Update, { conversation }: ReplayState) =>
      kind === 'notification' ? code.notificationText(conversation) : undefined,
  };
}

/** Parley for the replay tool. */
export type ParleyAdapter = ReturnType<typeof parleyAdapter>;

const NO_ACTIONS: readonly Action[] = [];
const NOTHING = { actions: NO_ACTIONS };

/** Returns what a record gives that is not a received frame. */
function other(record: CaptureRecord, state: ReplayState): { readonly actions: readonly Action[] } {
  if (record.type === 'launch' && !launchesSession(state)) return NOTHING;
  const action = actionOf(record);
  return action === undefined ? NOTHING : { actions: [action] };
}

const isReceived = (record: CaptureRecord): record is FrameRecord => record.type === 'recv';

/** Returns the rules of another revision. Its ticks count as they are; its conversations may have another form. */
const rulesOf = ({ tickFor, hasTarget, toSnapshot }: ReplayCode): ReleaseRules => ({
  tickFor,
  tickBefore: (t) => t,
  hasTarget,
  countKnownMessages: (conversation, snapshot) =>
    countKnownMessages(fromSnapshot({ person: '', messages: toSnapshot(conversation).messages }), snapshot),
});

/** Returns whether a record ends the session. Updates that still waited then were never shown. */
export const endsSession = (record: CaptureRecord): boolean =>
  isAction(record) && record.action.type === sessionEnded.type;

const isAction = (record: CaptureRecord): record is ActionRecord => record.type === 'action';

/** Returns the frame's text for the decoder; `null` when the frame is not text. */
export const frameText = ({ data, encoding }: FrameRecord): string | null =>
  encoding === 'base64' ? null : data;

/**
 * Returns whether a launch belongs to the session. One after a frame of the session that runs belongs to no session that the app records: it is
 * ignored.
 */
export const launchesSession = ({ counts, queue }: Pick<ReplayState, 'counts' | 'queue'>): boolean =>
  queue.launchedAt === null || counts.received + counts.sent + counts.dropped === 0;

/** Returns the action of a record that is not a received frame, or `undefined` when the record changes nothing. */
export function actionOf(record: CaptureRecord): UnknownAction | undefined {
  if (!isKnown(record)) return undefined;
  switch (record.type) {
    case 'launch':
      return sessionLaunched({ launchedAt: record.t });
    case 'open':
      return connectionOpened();
    case 'close':
      return connectionClosed({ code: record.code, reason: record.reason, retryAt: record.retryAt });
    case 'action':
      return recordedAction(record);
    case 'send':
      return { type: messageSent.type };
    case 'recv':
    case 'release':
    case 'http':
    case 'end':
      return undefined;
    default:
      return record satisfies never;
  }
}

/** The slices of main's store, without those that no record changes: the account, the times of day and the numbers of forwarded actions. */
const reducers = {
  ...replayedReducers,
  attention: attentionReducer,
  snapshotFields: snapshotFieldsReducer,
  windows: windowsReducer,
};

const reduceAction = combineReducers(reducers);

/** The state of a session, as in main's store. It is plain data, and any state is a checkpoint: a replay that starts from it reaches the same end. */
export type ReplayState = ReturnType<typeof reduceAction>;

/**
 * Reduces the state of a session as main's store does. Updates, which are most actions, reach only the slices that depend on them: Redux asks each
 * slice, which takes twice as long. A spread of the state would take longer still, so the state is a literal.
 */
const reduceSession: Reducer<ReplayState> = (state, action) => {
  if (state === undefined || !isUpdate(action)) return reduceAction(state, action);
  const isShown = isOfType(action, updateApplied);
  return {
    connection: state.connection,
    wasConnected: state.wasConnected,
    conversation: isShown ? reducers.conversation(state.conversation, action) : state.conversation,
    arrivals: isShown ? reducers.arrivals(state.arrivals, action) : state.arrivals,
    appliedUpdates: isShown ? reducers.appliedUpdates(state.appliedUpdates, action) : state.appliedUpdates,
    preferences: state.preferences,
    audio: state.audio,
    backlog: state.backlog,
    words: isShown ? reducers.words(state.words, action) : state.words,
    queue: reducers.queue(state.queue, action),
    counts: reducers.counts(state.counts, action),
    attention: isShown ? reducers.attention(state.attention, action) : state.attention,
    snapshotFields: isShown ? reducers.snapshotFields(state.snapshotFields, action) : state.snapshotFields,
    windows: state.windows,
  };
};

/** Returns whether an action is an update: received, or released. Most actions of a session are updates. */
const isUpdate = (action: unknown): boolean =>
  isOfType(action, updateReceived) || isOfType(action, updateApplied) || isOfType(action, updateIgnored);

/** Returns the reducer of a session: main's own, or with the reducers of another revision's code. */
export const reducerOf = (code: ReplayCode): Reducer<ReplayState> =>
  code === appCode ? reduceSession : reducerWith(code);

/** Uses the other revision's reducers of the conversation and of the slices that follow from actions. It may have fewer of those. */
function reducerWith({ applyUpdate, emptyConversation, reduceActs }: ReplayCode): Reducer<ReplayState> {
  const combined = combineReducers({
    ...reducers,
    conversation(state: Conversation | undefined, action: Action) {
      const conversation = inSession(state, action) ?? emptyConversation;
      return isOfType(action, updateApplied)
        ? applyUpdate(conversation, action.payload.update)
        : conversation;
    },
  });
  return (state, action) => {
    const next = combined(state, action);
    if (isUpdate(action)) return next;
    return { ...next, ...initialActs, ...reduceActs(state && actsPart(state), action) };
  };
}
