import { type Dispatch, type Middleware, type MiddlewareAPI, type Reducer, isAction } from '@reduxjs/toolkit';
import { heartbeat } from '../actions/sessionActions.ts';
import type { Clock, Cancel } from '../clock.ts';
import { isLocal, isOfType } from '../isOfType.ts';
import { resetsSession } from './inSession.ts';
import {
  type LateRelease,
  type QueuedState,
  type Released,
  failedRelease,
  nextRelease,
  releaseAction,
  tickOfRelease,
  sinceLaunch,
} from './queue.ts';

/** Returns the middleware of every store that runs a session. The sequence middleware must be innermost. */
export const sessionMiddleware = (clock: Clock, onLate?: (late: LateRelease) => void) =>
  [queueMiddleware(clock, onLate), sequenceMiddleware] as const;

/**
 * Options of Redux Toolkit's default middleware. Its checks are off: they walk the whole state at every action, which is too slow for a
 * long conversation.
 */
export const DEFAULT_MIDDLEWARE = { immutableCheck: false, serializableCheck: false } as const;

/** The middleware of the queue. */
export interface QueueMiddleware extends Middleware<object, QueuedState> {
  /**
   * Releases the update whose tick has passed, if there is one, and returns the time of what follows, of the clock. Call it before anything that
   * is recorded: what happens at or after a tick then comes after its update, also when the timer is late. It releases one update at most, and none
   * during a release. When that takes so long that another tick passes, the returned time is just before this tick.
   */
  catchUp(): number;
}

/**
 * Releases one update of the queue each tick: as applied, or as ignored when the update has no target (spec §4.4 item 4). The updates and the
 * last tick are in the state; the middleware keeps only its timer. So a store that starts with waiting updates releases them too.
 *
 * Ticks are multiples of 100 ms from the session's launch, so a timer is needed only while updates wait. A timer that fires
 * late releases one update, and the next update waits for the following tick: there are no bursts (contract §5).
 * @param onLate receives each release at a later tick than the one that follows from the time of receipt, before its action.
 */
export function queueMiddleware(clock: Clock, onLate: OnLate = () => {}): QueueMiddleware {
  let queue: { readonly store: Store; readonly timer: Timer } | undefined;
  const middleware: Middleware<object, QueuedState> = (store) => {
    const timer = createTimer(clock, store, onLate);
    queue = { store, timer };
    timer.schedule();
    return (next) => (action) => {
      const result = next(action);
      if (resetsSession(action)) timer.cancel();
      // Only a received update begins to wait; otherwise this does nothing.
      timer.schedule();
      return result;
    };
  };
  const catchUp = () => {
    queue?.timer.releaseDue();
    const now = clock.now();
    const next = queue && nextRelease(queue.store.getState());
    const isPassed = next !== undefined && sinceLaunch(now, next.launchedAt) >= next.due;
    return isPassed ? next.launchedAt + next.due - MICROSECOND : now;
  };
  return Object.assign(middleware, { catchUp });
}

type OnLate = (late: LateRelease) => void;

type Store = MiddlewareAPI<Dispatch, QueuedState>;
type Timer = ReturnType<typeof createTimer>;

/** The precision of the times of records. */
const MICROSECOND = 0.001;

/** Creates the timer of the next tick. It runs only while updates wait. */
function createTimer(clock: Clock, store: Store, onLate: OnLate) {
  let cancelTick: Cancel | undefined;
  let isReleasing = false;

  const schedule = () => {
    const next = cancelTick === undefined ? nextRelease(store.getState()) : undefined;
    if (next === undefined) return;
    cancelTick = clock.after(next.launchedAt + next.due - clock.now(), () => {
      cancelTick = undefined;
      releaseDue();
      // The timer can fire slightly early.
      schedule();
    });
  };
  const cancel = () => {
    cancelTick?.();
    cancelTick = undefined;
  };
  const releaseDue = () => {
    const next = nextRelease(store.getState());
    if (next === undefined || isReleasing) return;
    const { received, update, due, launchedAt } = next;
    const t = sinceLaunch(clock.now(), launchedAt);
    const tick = tickOfRelease(next, t);
    if (tick === undefined) return;
    cancel();
    isReleasing = true;
    try {
      if (tick > due) onLate({ t, update, due, tick });
      release(store, { received, tick });
    } finally {
      isReleasing = false;
      // Also after an error: the next update has its tick.
      schedule();
    }
  };
  return { schedule, cancel, releaseDue };
}

/** Dispatches the release of the oldest update. */
function release({ dispatch, getState }: Store, released: Released): void {
  const before = getState();
  try {
    dispatch(releaseAction(before, released));
  } finally {
    if (getState() === before) dispatch(failedRelease(released));
  }
}

/** Returns the sequence number of an action, or `undefined` when it has none. */
export function sequenceNumber(action: unknown): number | undefined {
  if (typeof action !== 'object' || action === null || !('type' in action && 'meta' in action))
    return undefined;
  const { type, meta } = action;
  if (typeof type !== 'string') return undefined;
  if (typeof meta !== 'object' || meta === null || !('seq' in meta)) return undefined;
  return typeof meta.seq === 'number' ? meta.seq : undefined;
}

/** Keeps the number of the last numbered action. It is part of the state, so a fetched state contains its own number. */
export const sequenceReducer: Reducer<number> = (sequence = 0, action) => sequenceNumber(action) ?? sequence;

/** The fields of a flux-standard action, the only kind that electron-redux forwards. */
const STANDARD: ReadonlySet<string> = new Set(['type', 'payload', 'meta', 'error']);

/**
 * Numbers the actions that are forwarded to the windows, in main's order: every flux-standard action that is not local. It must be the
 * innermost middleware, so that an action gets its number when it is reduced.
 */
export const sequenceMiddleware: Middleware<object, { readonly sequence: number }> =
  ({ getState }) =>
  (next) =>
  (action) => {
    if (!isAction(action) || isLocal(action) || isOfType(action, heartbeat)) return next(action);
    if (!Object.keys(action).every((key) => STANDARD.has(key))) return next(action);
    const meta = 'meta' in action && typeof action.meta === 'object' ? action.meta : {};
    return next({ ...action, meta: { ...meta, seq: getState().sequence + 1 } });
  };
