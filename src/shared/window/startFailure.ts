import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { StartFailure } from '../ipc/tools.ts';

/** The failure because of which the conversation is not opened; `null` when there is none. */
export type StartFailureState = StartFailure | null;

const initialState = null as StartFailureState;

const slice = createSlice({
  name: 'startFailure',
  initialState,
  reducers: {
    changed: (_, { payload }: PayloadAction<{ readonly failure: StartFailureState }>) => payload.failure,
  },
});

export const { changed: startFailureChanged } = slice.actions;

/** Reduces the start failure. */
export const startFailureReducer = slice.reducer;
