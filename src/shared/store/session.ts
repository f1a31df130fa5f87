import { createAction } from '@reduxjs/toolkit';

/**
 * A session was launched at `launchedAt` (a time of the store's clock): ticks follow every 100 ms (spec §3.1). Resets conversation,
 * connection, counts and queue.
 */
export const sessionLaunched = createAction<{ readonly launchedAt: number }>('session/launched');

/** The session has ended: the queue stops, and the conversation and the counts are dropped (spec §3.1). */
export const sessionEnded = createAction('session/ended');
