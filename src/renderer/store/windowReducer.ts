import { type Reducer, combineReducers, createAction } from '@reduxjs/toolkit';
import {
  type ConversationPart,
  conversationFromNewest,
  withPart,
} from '#shared/conversation/conversationPart.ts';
import { type SharedState, sharedReducers } from '#shared/store/rootReducer.ts';
import { ownReducer } from '#shared/window/ownReducer.ts';
import type { ShownState } from '#shared/window/shownState.ts';

/** Main's state without its messages, as a window fetches it. */
export type FetchedState = Omit<SharedState, 'conversation'> & {
  readonly conversation: { readonly person: string | null };
};

/** Main's state was fetched, with the newest messages. It replaces the shared part of the window's state. */
export const stateFetched = createAction<{
  readonly state: FetchedState;
  readonly newest: ConversationPart;
}>('sync/stateFetched');

/** A snapshot with this sequence number was applied in main. Carries its newest messages. */
export const snapshotArrived = createAction(
  'sync/snapshotArrived',
  (payload: { readonly person: string; readonly newest: ConversationPart }, seq: number) => ({
    payload,
    meta: { seq },
  }),
);

/** A further part of the conversation was fetched. */
export const partArrived = createAction<ConversationPart>('sync/partArrived');

const reducer = combineReducers({ ...sharedReducers, own: ownReducer });

/** Reduces the window's state: main's shared reducers, the messages that arrive in parts, and the window's own state. */
export const windowReducer: Reducer<ShownState> = (state, action) => {
  const reduced = reducer(state, action);
  if (stateFetched.match(action)) {
    const { state: fetched, newest } = action.payload;
    const conversation = conversationFromNewest(fetched.conversation.person, newest);
    return { ...fetched, conversation, own: reduced.own };
  }
  if (snapshotArrived.match(action)) {
    const { person, newest } = action.payload;
    return {
      ...reduced,
      conversation: conversationFromNewest(person, newest),
      appliedUpdates: reduced.appliedUpdates + 1,
    };
  }
  if (partArrived.match(action)) {
    return { ...reduced, conversation: withPart(reduced.conversation, action.payload) };
  }
  return reduced;
};
