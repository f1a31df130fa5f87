import { combineReducers } from '@reduxjs/toolkit';
import { appliedUpdatesReducer } from './appliedUpdates.ts';
import { arrivalsReducer } from './arrivals.ts';
import { audioReducer } from './audio.ts';
import { backlogReducer } from './backlog.ts';
import { connectionReducer, wasConnectedReducer } from './connection.ts';
import { conversationReducer, wordsReducer } from './conversation.ts';
import { countsReducer } from './counts.ts';
import { noticesReducer } from './notices.ts';
import { preferencesReducer } from './preferences.ts';
import { queueReducer } from './queue.ts';
import { sequenceReducer } from './sequence.ts';
import { timesOfDayReducer } from './timesOfDay.ts';

const sharedSlices = {
  connection: connectionReducer,
  wasConnected: wasConnectedReducer,
  conversation: conversationReducer,
  arrivals: arrivalsReducer,
  appliedUpdates: appliedUpdatesReducer,
  preferences: preferencesReducer,
  audio: audioReducer,
  backlog: backlogReducer,
  words: wordsReducer,
};

/** The reducers that main and its windows share: a window fetches exactly their state. */
export const sharedReducers = {
  sequence: sequenceReducer,
  timesOfDay: timesOfDayReducer,
  notices: noticesReducer,
  ...sharedSlices,
};

/** The reducers of a session that follow from frames and actions. The replay tool's store uses them; no action is numbered there. */
export const replayedReducers = { ...sharedSlices, queue: queueReducer, counts: countsReducer };

/** All reducers of a session: the shared ones, and those of main only. */
export const sessionReducers = {
  ...replayedReducers,
  timesOfDay: timesOfDayReducer,
  notices: noticesReducer,
  sequence: sequenceReducer,
};

/** Reduces the shared state. */
export const sharedReducer = /* @__PURE__ */ combineReducers(sharedReducers);

/** The state that main and every window have. */
export type SharedState = ReturnType<typeof sharedReducer>;

/** Returns the shared part of a larger state. */
export const sharedPart = ({
  sequence,
  timesOfDay,
  notices,
  words,
  connection,
  wasConnected,
  conversation,
  arrivals,
  appliedUpdates,
  preferences,
  audio,
  backlog,
}: SharedState): SharedState => ({
  sequence,
  timesOfDay,
  notices,
  words,
  connection,
  wasConnected,
  conversation,
  arrivals,
  appliedUpdates,
  preferences,
  audio,
  backlog,
});
