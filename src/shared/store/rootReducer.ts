import { combineReducers } from '@reduxjs/toolkit';
import { appliedUpdatesReducer } from './appliedUpdates.ts';
import { audioReducer } from './audio.ts';
import { backlogReducer } from './backlog.ts';
import { connectionReducer } from './connection.ts';
import { conversationReducer } from './conversation.ts';
import { countsReducer } from './counts.ts';
import { preferencesReducer } from './preferences.ts';
import { queueReducer } from './queue.ts';
import { sequenceReducer } from './sequence.ts';
import { wasConnectedReducer } from './wasConnected.ts';

/** The reducers that main and its windows share: a window fetches exactly their state. */
export const sharedReducers = {
  sequence: sequenceReducer,
  connection: connectionReducer,
  wasConnected: wasConnectedReducer,
  conversation: conversationReducer,
  appliedUpdates: appliedUpdatesReducer,
  preferences: preferencesReducer,
  audio: audioReducer,
  backlog: backlogReducer,
};

/** All reducers of a session: the shared ones, and those of main only. The replay tool's store uses them too. */
export const sessionReducers = { ...sharedReducers, queue: queueReducer, counts: countsReducer };

/** Reduces the shared state. */
export const sharedReducer = combineReducers(sharedReducers);

/** The state that main and every window have. */
export type SharedState = ReturnType<typeof sharedReducer>;

/** Returns the shared part of a larger state. */
export const sharedPart = ({
  sequence,
  connection,
  wasConnected,
  conversation,
  appliedUpdates,
  preferences,
  audio,
  backlog,
}: SharedState): SharedState => ({
  sequence,
  connection,
  wasConnected,
  conversation,
  appliedUpdates,
  preferences,
  audio,
  backlog,
});
