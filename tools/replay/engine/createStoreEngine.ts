import { type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import { captureTime, timeSinceLaunch } from '#shared/capture/captureTime.ts';
import type { CaptureRecord, FrameRecord } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { snapshotFieldsReducer } from '#shared/store/conversation.ts';
import { oldest } from '#shared/fifo.ts';
import { messageSent } from '#shared/store/outgoing.ts';
import { DEFAULT_MIDDLEWARE } from '#shared/store/middleware.ts';
import { nextTick } from '#shared/store/queue.ts';
import { queueMiddleware } from '#shared/store/queueMiddleware.ts';
import { replayedReducers } from '#shared/store/rootReducer.ts';
import { type NotificationText, notificationText } from '#shared/store/selectors.ts';
import { sessionLaunched } from '#shared/store/session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from '#shared/store/updates.ts';
import { type VirtualClock, virtualClock } from '#shared/time/virtualClock.ts';
import { attentionReducer } from '#shared/window/attention.ts';
import { windowsReducer } from '#shared/window/windows.ts';
import { actionOf, endsSession, frameBytes, frameText, isFrame, launchesSession } from './actions.ts';
import { END, type NextRelease, nextRelease } from './nextRelease.ts';
import { type EngineOptions, type ReplayState, type Step, type TimedEngine, replayPart } from './replay.ts';

/** The engine with its current state, which is not copied. */
interface StoreEngine extends TimedEngine {
  state(): ReplayState;
}

/** Options of {@link createStoreEngine}. */
export interface StoreEngineOptions extends EngineOptions {
  /** Returns the reducer that the store uses, given that of the app. */
  readonly wrapReducer?: ((reducer: StoreReducer) => StoreReducer) | undefined;
}

/** Creates the engine with the app's own store and queue, on a virtual clock that advances from tick to tick. */
export function createStoreEngine(options: StoreEngineOptions = {}): StoreEngine {
  const {
    until = Infinity,
    at = Infinity,
    onStep,
    onRejected,
    start,
    passesEnd = false,
    wrapReducer = same,
  } = options;
  const clock = virtualClock();
  const notifications: NotificationText[] = [];
  let isOver = until === 0;
  const onRelease = (step: Step) => {
    if (step.notification !== undefined) notifications.push(step.notification);
    onStep?.(step);
    isOver = step.number >= until;
  };
  const store = createSessionStore({ clock, start, onRelease, reducer: wrapReducer(appReducer) });
  if (start === undefined) store.dispatch(sessionLaunched({ launchedAt: clock.now() }));

  const next = (record = END) => (isOver ? undefined : releaseBefore(record, store.getState(), at));
  const passTo = (record = END, most = Infinity): boolean => {
    for (let left = most; ; left--) {
      const release = next(record);
      if (release === undefined || left === 0) return release !== undefined;
      fireAt(clock, release.tick);
    }
  };

  return {
    take(record) {
      passTo(record);
      if (record.t > at || (endsSession(record) && !passesEnd)) isOver = true;
      if (isOver) return false;
      dispatchRecord(store, record, onRejected);
      return true;
    },
    pass: passTo,
    nextTick: (record) => next(record)?.time,
    state: () => store.getState(),
    checkpoint: () => replayPart(store.getState()),
    finish() {
      passTo();
      const state = store.getState();
      return { ...replayPart(state), notifications, virtualMs: state.queue.lastTick };
    },
  };
}

/** Fires the timer of the queue at a tick: the queue computes the tick of a late release from this time. */
function fireAt(clock: VirtualClock, tick: number): void {
  clock.stall(Math.max(0, tick - clock.now()));
  clock.advance(Math.max(0, (clock.nextDue() ?? 0) - clock.now()));
}

/** Returns the next release before a record; `undefined` when no update waits, or it is released after `at`. */
function releaseBefore(
  record: CaptureRecord,
  { queue }: Pick<ReplayState, 'queue'>,
  at: number,
): NextRelease | undefined {
  const tick = nextTick(queue);
  if (tick === undefined) return undefined;
  const launchedAt = queue.launchedAt ?? 0;
  return nextRelease(record, { due: captureTime(tick, launchedAt), launchedAt, at });
}

type OnRejected = EngineOptions['onRejected'];

function dispatchRecord(store: SessionStore, record: CaptureRecord, onRejected: OnRejected): void {
  const action = actionOf(record);
  if (isFrame(record, 'recv')) receive(store, record, onRejected);
  else if (isFrame(record, 'send')) store.dispatch({ type: messageSent.type });
  else if (record.type === 'launch' && !launchesSession(record, store.getState())) return;
  else if (action !== undefined) store.dispatch(action);
}

/** Dispatches a received frame as the app's session does. */
function receive(store: SessionStore, record: FrameRecord, onRejected: OnRejected): void {
  const bytes = frameBytes(record);
  const update = decodeUpdate(frameText(record));
  if (update.kind === 'rejected') {
    store.dispatch(frameRejected({ reason: update.reason, bytes }));
    onRejected?.(update);
    return;
  }
  const at = timeSinceLaunch(record.t, store.getState().queue.launchedAt ?? 0);
  store.dispatch(updateReceived({ update, at, bytes }));
}

interface SessionStoreOptions {
  readonly clock: VirtualClock;
  /** The state with which the store starts. */
  readonly start: ReplayState | undefined;
  readonly onRelease: (step: Step) => void;
  readonly reducer: StoreReducer;
}

type SessionStore = ReturnType<typeof createSessionStore>;

/** Is combined once: this calls each reducer. */
const appReducer = combineReducers({
  ...replayedReducers,
  attention: attentionReducer,
  snapshotFields: snapshotFieldsReducer,
  windows: windowsReducer,
});

/** The reducer of the store. */
export type StoreReducer = typeof appReducer;

const same = (one: StoreReducer): StoreReducer => one;

/** Creates a store like main's, without the parts that only main has and without the numbers of forwarded actions. Calls `onRelease` for each update that the queue releases. */
function createSessionStore({ clock, start, onRelease, reducer }: SessionStoreOptions) {
  const observe: Middleware<object, ReturnType<StoreReducer>> =
    ({ getState }) =>
    (next) =>
    (action) => {
      const { conversation: before, queue } = getState();
      const result = next(action);
      const isApplied = updateApplied.match(action);
      if (!isApplied && !updateIgnored.match(action)) return result;
      const { update } = action.payload;
      const { conversation: after, counts } = getState();
      const launchedAt = queue.launchedAt ?? 0;
      onRelease({
        number: counts.applied + counts.ignored,
        receivedAt: captureTime(oldest(queue.waiting)?.at ?? 0, launchedAt),
        tick: captureTime(action.payload.tick, launchedAt),
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
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(observe, queueMiddleware(clock)),
    devTools: false,
    ...(start && { preloadedState: start }),
  });
}
