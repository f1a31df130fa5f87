import { type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { oldest } from '#shared/store/fifo.ts';
import { messageSent } from '#shared/store/outgoing.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/middleware.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { type NotificationText, notificationText } from '#shared/store/selectors.ts';
import { sessionLaunched } from '#shared/store/session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from '#shared/store/updates.ts';
import { type VirtualClock, virtualClock } from '#shared/time/virtualClock.ts';
import { actionOf, endsSession, frameBytes, frameText, isFrame } from './actions.ts';
import type { EngineOptions, ReplayState, Step, TimedEngine } from './replay.ts';

/** Creates the engine with the app's own store and queue, on a virtual clock that the records advance. */
export function createStoreEngine(options: EngineOptions = {}): TimedEngine {
  const { until = Infinity, at = Infinity, onStep, start } = options;
  const clock = virtualClock();
  const notifications: NotificationText[] = [];
  let isOver = until === 0;
  const onRelease = (step: Step) => {
    if (step.notification !== undefined) notifications.push(step.notification);
    onStep?.(step);
    isOver = step.number >= until;
  };
  const store = createSessionStore({ clock, start, onRelease });
  if (start === undefined) store.dispatch(sessionLaunched({ launchedAt: clock.now() }));

  const nextTick = () => {
    const due = isOver ? undefined : clock.nextDue();
    return due === undefined || due > at ? undefined : due;
  };
  const passTo = (time: number, most = Infinity): boolean => {
    for (let left = most; ; left--) {
      const due = nextTick();
      if (due === undefined || due > time) break;
      if (left === 0) return true;
      clock.advance(due - clock.now());
    }
    if (!isOver && time < Infinity) clock.advance(Math.max(0, Math.min(time, at) - clock.now()));
    return false;
  };

  return {
    take(record) {
      passTo(record.t);
      if (record.t > at || endsSession(record)) isOver = true;
      if (isOver) return false;
      dispatchRecord(store, record);
      return true;
    },
    pass: (time, most) => passTo(time, most),
    nextTick,
    checkpoint: store.getState,
    finish() {
      passTo(Infinity);
      const { conversation, connection, counts, queue } = store.getState();
      return { conversation, connection, counts, queue, notifications, virtualMs: queue.lastTick };
    },
  };
}

function dispatchRecord(store: SessionStore, record: CaptureRecord): void {
  const action = actionOf(record);
  if (isFrame(record, 'recv')) receive(store, record);
  else if (isFrame(record, 'send')) store.dispatch({ type: messageSent.type });
  else if (action !== undefined) store.dispatch(action);
}

/** Dispatches a received frame as the app's session does. */
function receive(store: SessionStore, record: FrameRecord): void {
  const bytes = frameBytes(record);
  const update = decodeUpdate(frameText(record));
  if (update.kind === 'rejected') {
    store.dispatch(frameRejected({ reason: update.reason, bytes }));
    return;
  }
  store.dispatch(updateReceived({ update, at: record.t, bytes }));
}

interface SessionStoreOptions {
  readonly clock: VirtualClock;
  /** The state with which the store starts. */
  readonly start: ReplayState | undefined;
  readonly onRelease: (step: Step) => void;
}

type SessionStore = ReturnType<typeof createSessionStore>;

/** Creates a store like main's, without the parts that only main has. Calls `onRelease` for each update that the queue releases. */
function createSessionStore({ clock, start, onRelease }: SessionStoreOptions) {
  const reducer = combineReducers(sessionReducers);
  const observe: Middleware<object, ReturnType<typeof reducer>> =
    ({ getState }) =>
    (next) =>
    (action) => {
      const { conversation: before, queue } = getState();
      const result = next(action);
      const isApplied = updateApplied.match(action);
      if (!isApplied && !updateIgnored.match(action)) return result;
      const { update, tick } = action.payload;
      const { conversation: after, counts } = getState();
      onRelease({
        number: counts.applied + counts.ignored,
        receivedAt: oldest(queue.waiting)?.at ?? 0,
        tick,
        update,
        effect: isApplied ? 'applied' : 'ignored',
        before,
        after,
        notification: isApplied && update.kind === 'notification' ? notificationText(after) : undefined,
      });
      return result;
    };
  return configureStore({
    reducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(observe, ...sessionMiddleware(clock)),
    devTools: false,
    ...(start && { preloadedState: start }),
  });
}
