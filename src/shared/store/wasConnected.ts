import type { Reducer } from '@reduxjs/toolkit';
import { connectionConfirmed } from './connection.ts';
import { resetsSession } from './session.ts';
import { isOfType } from '../isOfType.ts';

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = (wasConnected = false, action) => {
  if (resetsSession(action)) return false;
  return wasConnected || isOfType(action, connectionConfirmed);
};
