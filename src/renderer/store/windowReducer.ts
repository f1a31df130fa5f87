import { type Reducer, combineReducers, createAction } from '@reduxjs/toolkit';
import {
  type ConversationPart,
  conversationFromNewest,
  withPart,
} from '#shared/conversation/conversationPart.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Word } from '#shared/conversation/words.ts';
import { type Arrivals, arrivalsOfSnapshot, arrivalsReducer } from '#shared/store/arrivals.ts';
import { appliedUpdatesReducer } from '#shared/store/appliedUpdates.ts';
import { conversationReducer } from '#shared/store/conversation.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { isOfType } from '#shared/isOfType.ts';
import { type SharedState, sharedReducers } from '#shared/store/rootReducer.ts';
import { isOwnAction } from '#shared/window/ownActions.ts';
import { type OwnState, type ShownState, ownReducer } from '#shared/window/ownReducer.ts';

/** Main's state without its messages, as a window fetches it. */
export type FetchedState = Omit<SharedState, 'conversation'> & {
  readonly conversation: { readonly person: string | null };
};

/** Main's state was fetched, with the newest messages. It replaces the shared part of the window's state. */
export const stateFetched = createAction<{
  readonly state: FetchedState;
  readonly newest: ConversationPart;
}>('sync/stateFetched');

/** A snapshot with this sequence number was applied in main. Carries its newest messages and its words. */
export const snapshotArrived = createAction(
  'sync/snapshotArrived',
  (
    payload: {
      readonly person: string;
      readonly newest: ConversationPart;
      readonly tick: number;
      readonly known: number;
      readonly words: readonly Word[];
    },
    seq: number,
  ) => ({ payload, meta: { seq } }),
);

/** A further part of the conversation was fetched. */
export const partArrived = createAction<ConversationPart>('sync/partArrived');

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

/** The window's own state is a fold over its own actions, and over nothing else. */
const ownInWindow: Reducer<OwnState> = (own, action) =>
  own === undefined || isOwnAction(action) ? ownReducer(own, action) : own;

const reducer = combineReducers({
  sequence: sharedReducers.sequence,
  connection: sharedReducers.connection,
  wasConnected: sharedReducers.wasConnected,
  timesOfDay: sharedReducers.timesOfDay,
  words: wordsInWindow,
  conversation: conversationInWindow,
  arrivals: arrivalsInWindow,
  appliedUpdates: appliedUpdatesInWindow,
  preferences: sharedReducers.preferences,
  audio: sharedReducers.audio,
  backlog: sharedReducers.backlog,
  own: ownInWindow,
});

/** Reduces the window's state: main's shared state, and the window's own. */
export const windowReducer: Reducer<ShownState> = (state, action) => {
  const reduced = reducer(state, action);
  if (!isOfType(action, stateFetched)) return reduced;
  const { state: fetched, newest } = action.payload;
  const conversation = conversationFromNewest(fetched.conversation.person, newest);
  return { ...fetched, conversation, own: reduced.own };
};
