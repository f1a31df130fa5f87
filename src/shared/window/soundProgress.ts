import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { progressPayload } from './payloads.ts';

/** The position and the length of a playback, in seconds. */
export interface SoundProgress {
  readonly at: number;
  /** The sound's length. */
  readonly of: number;
}

/** The progress of the playback in this window; `null` while it plays nothing, or does not know the length. */
export type SoundProgressState = SoundProgress | null;

const none = null as SoundProgressState;

const slice = createSlice({
  name: 'soundProgress',
  initialState: none,
  reducers: {
    changed: {
      reducer: (_, { payload }: PayloadAction<SoundProgressState>) => payload,
      prepare: progressPayload,
    },
  },
});

export const { changed: soundProgressChanged } = slice.actions;

/** Reduces the sound progress. */
export const soundProgressReducer = slice.reducer;
