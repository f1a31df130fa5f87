import { createSlice } from '@reduxjs/toolkit';
import { startFailureChanged } from './startFailure.ts';

/** Whether files are dragged over the conversation, which then shows where to drop them. */
type FileDropState = boolean;

const initialState = false as FileDropState;

const slice = createSlice({
  name: 'fileDrop',
  initialState,
  reducers: {
    entered: () => true,
    /** The drag left the window, or ended with a drop. */
    left: () => false,
  },
  extraReducers: (builder) => builder.addCase(startFailureChanged, () => false),
});

export const { entered: fileDropEntered, left: fileDropLeft } = slice.actions;

/** Reduces the file drop. */
export const fileDropReducer = slice.reducer;
