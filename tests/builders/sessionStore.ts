import { type Action, type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/sessionMiddleware.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import * as act from '#shared/actions/sessionActions.ts';
import type { LateRelease } from '#shared/store/queue.ts';
import { type Clock, type VirtualClock, virtualClock } from '#shared/clock.ts';

/** An update that a tick released; `at` is in milliseconds since the session's launch. */
interface Released {
  readonly at: number;
  readonly how: 'applied' | 'ignored';
  readonly frame: object;
}

/** Creates a session's real store with its reducers and middleware, on a clock that the test advances. */
export function sessionStore(options: { readonly clock?: Clock } = {}) {
  const virtual = virtualClock();
  const clock = options.clock ?? virtual;
  const released: Released[] = [];
  const reduced: unknown[] = [];
  const late: (LateRelease & { readonly released: number })[] = [];
  const onLate = (one: LateRelease) => void late.push({ ...one, released: released.length });
  const watch: Middleware = () => (next) => (action) => {
    const result = next(action);
    reduced.push(action);
    const at = input.sinceLaunch();
    if (act.updateApplied.match(action))
      released.push({ at, how: 'applied', frame: action.payload.update.frame });
    if (act.updateIgnored.match(action))
      released.push({ at, how: 'ignored', frame: action.payload.update.frame });
    return result;
  };
  const store = configureStore({
    reducer: combineReducers(sessionReducers),
    middleware: (defaults) =>
      defaults(DEFAULT_MIDDLEWARE).concat(sessionMiddleware(clock, onLate)).concat(watch),
    enhancers: (defaults) => defaults({ autoBatch: false }),
  });
  const input = sessionInput(store, clock);
  return {
    store,
    /** The clock that the test advances, unless it passed another one. */
    clock: virtual,
    released,
    /** Every action as the reducers received it. */
    reduced,
    /** The late releases, with the number of updates that were released before. */
    late,
    dispatch: (action: Action) => void store.dispatch(action),
    ...input,
  };
}

/** Returns functions that launch a session in a store and dispatch its frames, as the session's socket does. */
export function sessionInput(store: { dispatch(action: Action): unknown }, clock: Clock) {
  let launchedAt = 0;
  const sinceLaunch = () => clock.now() - launchedAt;
  return {
    sinceLaunch,
    launch() {
      launchedAt = clock.now();
      store.dispatch(act.sessionLaunched({ launchedAt }));
    },
    receive(frame: object | string | null) {
      const text = typeof frame === 'string' || frame === null ? frame : JSON.stringify(frame);
      const bytes = text?.length ?? 0;
      const decoded = decodeUpdate(text);
      if (decoded.kind === 'rejected') store.dispatch(act.frameRejected({ reason: decoded.reason, bytes }));
      else store.dispatch(act.updateReceived({ update: decoded, at: sinceLaunch(), bytes }));
    },
  };
}

/** Advances the clock to a time. */
export const advanceTo = (clock: VirtualClock, moment: number): void => clock.advance(moment - clock.now());
