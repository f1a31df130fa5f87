import type { Reducer } from '@reduxjs/toolkit';
import { connectionConfirmed } from './connection.ts';
import { perSession } from './session.ts';
import { isOfType } from '../isOfType.ts';

/** Whether the platform has answered since the session's launch: a window then shows that it reconnects, not that it connects. */
export const wasConnectedReducer: Reducer<boolean> = perSession(
  (wasConnected = false, action) => wasConnected || isOfType(action, connectionConfirmed),
);
