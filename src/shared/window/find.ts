import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { textPayload } from './payloads.ts';
import { startFailureChanged } from './startFailure.ts';

/** A hit of a search: where it begins. */
export interface FoundHit {
  /** The index of the message. */
  readonly message: number;
  /** The index of the item in the message. */
  readonly item: number;
  /** The index of the first character in the item's text, in UTF-16 units. */
  readonly start: number;
}

/**
 * The find bar: the text to find, and the current hit; `null` while the bar is closed.
 *
 *     closed ── opened ──▶ open ── edited, reached ──▶ open
 *       ▲                   │
 *       └───── closed ──────┘
 *
 * The number of hits is not in the state: it follows from the text and the conversation.
 */
export type FindState = { readonly text: string; readonly hit: FoundHit | null } | null;

const closed = null as FindState;

const slice = createSlice({
  name: 'find',
  initialState: closed,
  reducers: {
    opened: (): FindState => ({ text: '', hit: null }),
    /** The person changed the text. */
    edited: {
      reducer: (_, { payload }: PayloadAction<{ readonly text: string }>): FindState => ({
        text: payload.text,
        hit: null,
      }),
      prepare: textPayload,
    },
    /** The search, or the person, went to a hit. */
    reached: (find, { payload }: PayloadAction<{ readonly hit: FoundHit }>): FindState =>
      find && { text: find.text, hit: payload.hit },
    closed: () => closed,
  },
  extraReducers: (builder) =>
    builder.addCase(startFailureChanged, (find, { payload }) => (payload.failure === null ? find : closed)),
});

export const {
  opened: findOpened,
  edited: findEdited,
  reached: hitReached,
  closed: findClosed,
} = slice.actions;

/** Reduces the find bar. */
export const findReducer = slice.reducer;
