import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import { notePayload } from './payloads.ts';

/** A message to the person that does not block the window. */
export interface Note {
  readonly text: string;
  /** The file that the message is about. */
  readonly path?: string;
}

/** The newest note, which stays until it is dismissed; `null` when there is none. */
type NotesState = Note | null;

const none = null as NotesState;

const slice = createSlice({
  name: 'notes',
  initialState: none,
  reducers: {
    shown: {
      reducer: (_, { payload }: PayloadAction<Note>) => payload,
      prepare: notePayload,
    },
    dismissed: () => none,
  },
});

export const { shown: noteShown, dismissed: noteDismissed } = slice.actions;

/** Reduces the notes. */
export const notesReducer = slice.reducer;
