import type { Reducer } from '@reduxjs/toolkit';
import { connectionConfirmed } from './connection.ts';
import { sessionEnded, sessionLaunched } from './session.ts';

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = (wasConnected = false, action) => {
  if (sessionLaunched.match(action) || sessionEnded.match(action)) return false;
  return wasConnected || connectionConfirmed.match(action);
};
