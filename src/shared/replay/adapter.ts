import type { Action } from '@reduxjs/toolkit';
import { timeSinceLaunch } from '../capture/captureTime.ts';
import type { CaptureRecord, FrameRecord } from '../capture/format.ts';
import { fromSnapshot, countKnownMessages } from '../conversation/conversation.ts';
import { toList } from '../fifo.ts';
import type { Update } from '../protocol/update.ts';
import {
  RELEASE_RULES,
  type ReleaseRules,
  failedRelease,
  nextRelease,
  releaseAction,
} from '../store/release.ts';
import { frameRejected, sessionLaunched, updateReceived } from '../actions/sessionActions.ts';
import { type ReplayCode, appCode } from './code.ts';
import { actionError, describeAction } from './describeAction.ts';
import { actionOf, endsSession, frameText, launchesSession } from './records.ts';
import { type ReplayState, reducerOf } from './reducer.ts';

/** Creates the adapter with which the replay tool replays Parley. @param code the app's own code, or that of another revision. */
export function parleyAdapter(code: ReplayCode = appCode) {
  const reduce = reducerOf(code);
  const rules = code === appCode ? RELEASE_RULES : rulesOf(code);

  const received = (record: FrameRecord, { queue }: ReplayState, bytes: number) => {
    const update = code.decodeUpdate(frameText(record));
    if (update.kind === 'rejected')
      return { actions: [frameRejected({ reason: update.reason, bytes })], rejected: update };
    const at = timeSinceLaunch(record.t, queue.launchedAt ?? 0);
    return { actions: [updateReceived({ update, bytes, at })], update };
  };
  const released = (state: ReplayState, tick: number) => {
    const next = nextRelease(state, rules);
    return next === undefined ? [] : [{ received: next.received, tick: rules.tickBefore(tick) }];
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
    release: (state: ReplayState, tick: number): readonly Action[] =>
      released(state, tick).map((one) => releaseAction(state, one, rules)),
    // Only the working tree's code is that which runs.
    ...(code === appCode && {
      failedRelease: (state: ReplayState, tick: number): readonly Action[] =>
        released(state, tick).map(failedRelease),
    }),
    waiting: ({ queue }: ReplayState): readonly Update[] => toList(queue.waiting).map(({ update }) => update),
    /** Returns the text of the notification that an applied update shows. */
    notification: ({ kind }: Update, { conversation }: ReplayState) =>
      kind === 'notification' ? code.notificationText(conversation) : undefined,
  };
}

/** Parley for the replay tool. */
export type ParleyAdapter = ReturnType<typeof parleyAdapter>;

const NOTHING = { actions: [] };

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
