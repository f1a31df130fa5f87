import { type Reducer, createAction } from '@reduxjs/toolkit';
import {
  type ConversationPart,
  conversationFromNewest,
  withPart,
} from '#shared/conversation/conversationPart.ts';
import { type SharedState, sharedReducer } from '#shared/store/rootReducer.ts';

/** Main's state without its messages, as a window fetches it. */
export type FetchedState = Omit<SharedState, 'conversation'> & {
  readonly conversation: { readonly person: string | null };
};

/** Main's state was fetched, with the newest messages. It replaces the window's state. */
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

/** Reduces the window's state: main's shared reducers, and the messages that arrive in parts. */
export const windowReducer: Reducer<SharedState> = (state, action) => {
  if (stateFetched.match(action)) {
    const { state: fetched, newest } = action.payload;
    return { ...fetched, conversation: conversationFromNewest(fetched.conversation.person, newest) };
  }
  const reduced = sharedReducer(state, action);
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
