import { combineReducers } from '@reduxjs/toolkit';
import { audioReducer } from './audio.ts';
import { backlogReducer } from './backlog.ts';
import { connectionReducer } from './connection.ts';
import { conversationReducer } from './conversation.ts';
import { countsReducer } from './counts.ts';
import { preferencesReducer } from './preferences.ts';
import { queueReducer } from './queue.ts';
import { sequenceReducer } from './sequence.ts';

/** What main and its windows share: the snapshot that a window fetches is exactly this. */
export const sharedReducers = {
  sequence: sequenceReducer,
  connection: connectionReducer,
  conversation: conversationReducer,
  preferences: preferencesReducer,
  audio: audioReducer,
  backlog: backlogReducer,
};

/** All of a session: what is shared, and what stays in main. The replay tool's store is made of the same. */
export const sessionReducers = { ...sharedReducers, queue: queueReducer, counts: countsReducer };

/** The window's whole state. */
export const sharedReducer = combineReducers(sharedReducers);

export type SharedState = ReturnType<typeof sharedReducer>;

/** The part of a larger state that a window has. */
export const sharedPart = ({
  sequence,
  connection,
  conversation,
  preferences,
  audio,
  backlog,
}: SharedState): SharedState => ({
  sequence,
  connection,
  conversation,
  preferences,
  audio,
  backlog,
});
