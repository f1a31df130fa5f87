import type { Reducer } from '@reduxjs/toolkit';
import { sessionEnded, sessionLaunched } from '../actions/sessionActions.ts';
import { isOfType } from '../isOfType.ts';

/** Returns whether a session begins or ends with an action: what belongs to a session is reset. */
export const resetsSession = (action: unknown): boolean =>
  isOfType(action, sessionLaunched) || isOfType(action, sessionEnded);

/** Returns a reducer whose state begins again with each session, and at its end. */
export const perSession =
  <S>(reducer: Reducer<S>): Reducer<S> =>
  (state, action) =>
    reducer(resetsSession(action) ? undefined : state, action);
