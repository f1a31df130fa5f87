import { combineReducers } from '@reduxjs/toolkit';
import { initialsOf } from '../conversation/display.ts';
import {
  appliedUpdatesReducer,
  arrivalsReducer,
  conversationReducer,
  wordsReducer,
} from './conversationSlices.ts';
import { noticesReducer } from './notices.ts';
import { countsReducer, queueReducer } from './queue.ts';
import { sequenceReducer } from './sessionMiddleware.ts';
import {
  audioReducer,
  backlogReducer,
  connectionReducer,
  wasConnectedReducer,
  preferencesReducer,
  timesOfDayReducer,
} from './sharedSlices.ts';

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

/** Selects the number of applied updates, after each of which the view scrolls to the bottom (spec §4.4 item 4). */
export const selectAppliedUpdates = (state: SharedState) => state.appliedUpdates;

/** Selects the person's initials, which the floating icon shows (spec §2.6). */
export const selectInitials = (state: SharedState) => initialsOf(state.conversation.person ?? '');

/** Selects the connection (spec §3.2). */
export const selectConnection = (state: SharedState) => state.connection;

/** Selects whether the platform has answered since the session's launch. */
export const selectWasConnected = (state: SharedState) => state.wasConnected;

/** Selects the audio module's state (spec §3.3). */
export const selectAudio = (state: SharedState) => state.audio;

/** Selects the backlog. */
export const selectBacklog = (state: SharedState) => state.backlog;

/** Selects the preferences in effect. */
export const selectPreferences = (state: SharedState) => state.preferences;
