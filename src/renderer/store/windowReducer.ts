import { type Reducer, combineReducers } from '@reduxjs/toolkit';
import {
  conversationFromNewest,
  withPart,
  type Conversation,
  type Word,
} from '#shared/conversation/conversation.ts';
import { partArrived, snapshotArrived, stateFetched } from './syncActions.ts';
import {
  type Arrivals,
  arrivalsOfSnapshot,
  arrivalsReducer,
  appliedUpdatesReducer,
  conversationReducer,
} from '#shared/store/conversationSlices.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { isOfType } from '#shared/isOfType.ts';
import { sharedReducers } from '#shared/store/rootReducer.ts';
import { isWindowStateAction } from '#shared/actions/actionTable.ts';
import { type ShownState, windowStateReducer } from '#shared/store/windowState.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';

/** Reduces the conversation: main's updates, and the messages that arrive in parts. */
const conversationInWindow: Reducer<Conversation> = (conversation, action) => {
  if (isOfType(action, snapshotArrived))
    return conversationFromNewest(action.payload.person, action.payload.newest);
  if (isOfType(action, partArrived) && conversation !== undefined)
    return withPart(conversation, action.payload);
  return conversationReducer(conversation, action);
};

/** Reduces the arrivals: the window computes those of a snapshot that arrives in parts. */
const arrivalsInWindow: Reducer<Arrivals> = (arrivals = emptyVector(), action) => {
  if (!isOfType(action, snapshotArrived)) return arrivalsReducer(arrivals, action);
  const { newest, known, tick } = action.payload;
  return arrivalsOfSnapshot(arrivals, { length: newest.length, known, tick });
};

const appliedUpdatesInWindow: Reducer<number> = (count = 0, action) =>
  isOfType(action, snapshotArrived) ? count + 1 : appliedUpdatesReducer(count, action);

const wordsInWindow: Reducer<readonly Word[]> = (words, action) =>
  isOfType(action, snapshotArrived) ? action.payload.words : sharedReducers.words(words, action);

/** The window's state is a fold over its actions, and over nothing else. */
const windowStateInWindow: Reducer<WindowState> = (own, action) =>
  own === undefined || isWindowStateAction(action) ? windowStateReducer(own, action) : own;

const reducer = combineReducers({
  sequence: sharedReducers.sequence,
  connection: sharedReducers.connection,
  wasConnected: sharedReducers.wasConnected,
  timesOfDay: sharedReducers.timesOfDay,
  notices: sharedReducers.notices,
  words: wordsInWindow,
  conversation: conversationInWindow,
  arrivals: arrivalsInWindow,
  appliedUpdates: appliedUpdatesInWindow,
  preferences: sharedReducers.preferences,
  audio: sharedReducers.audio,
  backlog: sharedReducers.backlog,
  own: windowStateInWindow,
});

/** Reduces the window's state: main's shared state, and the window's own. */
export const windowReducer: Reducer<ShownState> = (state, action) => {
  const reduced = reducer(state, action);
  if (!isOfType(action, stateFetched)) return reduced;
  const { state: fetched, newest } = action.payload;
  const conversation = conversationFromNewest(fetched.conversation.person, newest);
  return { ...fetched, conversation, own: reduced.own };
};
