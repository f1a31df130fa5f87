import { type Action, type Middleware, combineReducers, configureStore } from '@reduxjs/toolkit';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/middleware.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { sessionLaunched } from '#shared/store/session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from '#shared/store/updates.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type VirtualClock, virtualClock } from '#shared/time/virtualClock.ts';

/** An update that was released, and when: milliseconds since the session's launch. */
export interface Released {
  readonly at: number;
  readonly how: 'applied' | 'ignored';
  readonly frame: object;
}

/** A session's real store, from the reducers to the numbering, on a clock that a test turns. */
export function sessionStore(options: { readonly clock?: Clock } = {}) {
  const virtual = virtualClock();
  const clock = options.clock ?? virtual;
  const released: Released[] = [];
  const reduced: unknown[] = [];
  let launchedAt = 0;
  const watch: Middleware = () => (next) => (action) => {
    const result = next(action);
    reduced.push(action);
    const at = clock.now() - launchedAt;
    if (updateApplied.match(action))
      released.push({ at, how: 'applied', frame: action.payload.update.frame });
    if (updateIgnored.match(action))
      released.push({ at, how: 'ignored', frame: action.payload.update.frame });
    return result;
  };
  const store = configureStore({
    reducer: combineReducers(sessionReducers),
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(sessionMiddleware(clock)).concat(watch),
    enhancers: (defaults) => defaults({ autoBatch: false }),
  });
  return {
    store,
    /** Turned by the test, unless it brought a clock of its own. */
    clock: virtual,
    released,
    /** Every action as the reducers got it. */
    reduced,
    dispatch: (action: Action) => void store.dispatch(action),
    launch() {
      launchedAt = clock.now();
      store.dispatch(sessionLaunched({ launchedAt }));
    },
    /** A frame arrives, as the session's socket would say. */
    receive(frame: object | string) {
      const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
      const bytes = text.length;
      const decoded = decodeUpdate(text);
      if (decoded.kind === 'rejected') store.dispatch(frameRejected({ reason: decoded.reason, bytes }));
      else store.dispatch(updateReceived({ update: decoded, at: clock.now() - launchedAt, bytes }));
    },
  };
}

/** Moves the clock to a moment. */
export const turnTo = (clock: VirtualClock, moment: number): void => clock.advance(moment - clock.now());
