import type { Reducer } from '@reduxjs/toolkit';
import { sessionEnded, sessionLaunched } from './session.ts';
import { updateApplied } from './updates.ts';

/**
 * Counts the updates that were applied since the session's launch, without notifications, which windows do not receive. The view scrolls to
 * the bottom when the number changes: after each update, also after one that changes nothing (spec §4.4 item 4).
 */
export const appliedUpdatesReducer: Reducer<number> = (count = 0, action) => {
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return 0;
  return updateApplied.match(action) && action.payload.update.kind !== 'notification' ? count + 1 : count;
};
