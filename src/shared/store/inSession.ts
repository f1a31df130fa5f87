import { sessionEnded, sessionLaunched } from '../actions/sessionActions.ts';
import { isOfType } from '../isOfType.ts';

/** Returns whether a session begins or ends with an action: what belongs to a session is reset. */
export const resetsSession = (action: unknown): boolean =>
  isOfType(action, sessionLaunched) || isOfType(action, sessionEnded);

/** Returns the state that a reducer continues: none when a session begins or ends, so that the state begins again. */
export const inSession = <S>(state: S | undefined, action: unknown): S | undefined =>
  resetsSession(action) ? undefined : state;
