import { createAction } from '@reduxjs/toolkit';

/**
 * A session began: its queue ticks each 100 ms from `launchedAt`, a reading of the clock that the store was given
 * (spec §3.1). Conversation, connection, counts and queue begin anew.
 */
export const sessionLaunched = createAction<{ readonly launchedAt: number }>('session/launched');

/** The session is over: the queue stands still and the conversation is discarded (spec §3.1). */
export const sessionEnded = createAction('session/ended');
