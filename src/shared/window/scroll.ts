import { createSlice } from '@reduxjs/toolkit';
import { startFailureChanged } from './startFailure.ts';
import { viewChanged } from './view.ts';

/**
 * The scroll intent: whether the conversation stays at its newest message. The person leaves the bottom by scrolling up; each update
 * brings the window back (spec §4.4).
 */
interface ScrollState {
  readonly isAtBottom: boolean;
}

const atBottom: ScrollState = { isAtBottom: true };

const slice = createSlice({
  name: 'scroll',
  initialState: atBottom,
  reducers: {
    leftBottom: (): ScrollState => ({ isAtBottom: false }),
    reachedBottom: () => atBottom,
  },
  extraReducers: (builder) =>
    builder.addCase(viewChanged, () => atBottom).addCase(startFailureChanged, () => atBottom),
});

export const { leftBottom, reachedBottom } = slice.actions;

/** Reduces the scroll. */
export const scrollReducer = slice.reducer;
