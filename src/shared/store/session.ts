import { type Reducer, createAction } from '@reduxjs/toolkit';
import { isOfType } from '../isOfType.ts';

/**
 * A session was launched at `launchedAt` (a time of the store's clock): ticks follow every 100 ms (spec §3.1). Resets conversation,
 * connection, counts and queue.
 */
export const sessionLaunched = createAction<{
  readonly launchedAt: number;
  /** The time of day, in milliseconds since 1970 (UTC). A replay has none. */
  readonly timeOfDay?: number;
}>('session/launched');

/** The session has ended: the queue stops, and the conversation and the counts are dropped (spec §3.1). */
export const sessionEnded = createAction('session/ended');

/** Returns whether a session begins or ends with an action: what belongs to a session is reset. */
export const resetsSession = (action: unknown): boolean =>
  isOfType(action, sessionLaunched) || isOfType(action, sessionEnded);

/** Returns a reducer whose state begins again with each session, and at its end. */
export const perSession =
  <S>(reducer: Reducer<S>): Reducer<S> =>
  (state, action) =>
    reducer(resetsSession(action) ? undefined : state, action);
