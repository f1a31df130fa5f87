import type { Reducer } from '@reduxjs/toolkit';
import { perSession } from './session.ts';
import { updateApplied } from '../actions/sessionActions.ts';
import { isOfType } from '../isOfType.ts';

/**
 * Counts the updates that were applied since the session's launch, without notifications, which windows do not receive. The view scrolls to
 * the bottom when the number changes: after each update, also after one that changes nothing (spec §4.4 item 4).
 */
export const appliedUpdatesReducer: Reducer<number> = perSession((count = 0, action) =>
  isOfType(action, updateApplied) && action.payload.update.kind !== 'notification' ? count + 1 : count,
);
