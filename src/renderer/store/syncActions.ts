/** The actions with which a window follows main's state. They reach no other store, and no capture. */
import { createAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import type { ConversationPart, Word } from '#shared/conversation/conversation.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { defined, withinWindow } from '#shared/actions/defineAction.ts';

const BY_WINDOW = 'a window, for its copy of the shared state';

/** Main's state without its messages, as a window fetches it. */
export type FetchedState = Omit<SharedState, 'conversation'> & {
  readonly conversation: { readonly person: string | null };
};

interface Fetched {
  readonly state: FetchedState;
  readonly newest: ConversationPart;
}

/** Main's state was fetched, with the newest messages. It replaces the shared part of the window's state. */
export const stateFetched = withinWindow('sync/stateFetched', BY_WINDOW, {
  payload: z.custom<Fetched>().describe('state, newest'),
  changes: [
    'connection',
    'wasConnected',
    'timesOfDay',
    'notices',
    'words',
    'conversation',
    'arrivals',
    'appliedUpdates',
    'preferences',
    'audio',
    'backlog',
  ],
});

interface ArrivedSnapshot {
  readonly person: string;
  readonly newest: ConversationPart;
  readonly tick: number;
  readonly known: number;
  readonly words: readonly Word[];
}

/** A snapshot with this sequence number was applied in main. Carries its newest messages and its words. */
export const snapshotArrived = defined(
  createAction('sync/snapshotArrived', (payload: ArrivedSnapshot, seq: number) => ({
    payload,
    meta: { seq },
  })),
  {
    by: BY_WINDOW,
    payload: z.custom<ArrivedSnapshot>().describe('person, newest, tick, known, words'),
    changes: ['conversation', 'arrivals', 'appliedUpdates', 'words'],
    isForwarded: false,
    recorded: null,
  },
);

/** A further part of the conversation was fetched. */
export const partArrived = withinWindow('sync/partArrived', BY_WINDOW, {
  payload: z.custom<ConversationPart>().describe('a part of the conversation'),
  changes: ['conversation'],
});
