import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { sessionEnded, sessionLaunched } from './session.ts';

/** How much waits for its tick, as the windows know it: main reports it once a second while it changes. */
export interface BacklogState {
  /** Updates that wait; 0 while there are so few that they take less than 2 s. */
  readonly updates: number;
}

const none: BacklogState = { updates: 0 };

const slice = createSlice({
  name: 'backlog',
  initialState: none,
  reducers: {
    reported: (_, { payload }: PayloadAction<BacklogState>) => payload,
  },
  extraReducers: (builder) => builder.addCase(sessionLaunched, () => none).addCase(sessionEnded, () => none),
});

export const { reported: backlogReported } = slice.actions;

export const backlogReducer = slice.reducer;
