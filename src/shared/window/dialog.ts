import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { About, DeletionChoice, DeletionDialogData, SettingsDialogData } from '../ipc/tools.ts';

/** A dialog and what it shows beside the shared state. */
export type OpenedDialog =
  | { readonly dialog: 'settings'; readonly contents: SettingsDialogData }
  | { readonly dialog: 'about'; readonly contents: About }
  | { readonly dialog: 'deleteData'; readonly contents: DeletionDialogData }
  | { readonly dialog: 'export' };

/** The choices of the dialog "Delete my data". */
interface Deletion extends DeletionChoice {
  /** Whether the person confirmed the deletion. */
  readonly isDeleting: boolean;
}

/** The open dialog; `null` when there is none. */
export type DialogState =
  | Exclude<OpenedDialog, { readonly dialog: 'deleteData' }>
  | (Extract<OpenedDialog, { readonly dialog: 'deleteData' }> & Deletion)
  | null;

const none = null as DialogState;

const slice = createSlice({
  name: 'dialog',
  initialState: none,
  reducers: {
    opened: (_, { payload }: PayloadAction<OpenedDialog>): DialogState =>
      payload.dialog === 'deleteData' ? { ...payload, platformFile: false, isDeleting: false } : payload,
    /** The person chose whether "Delete my data" deletes the built-in platform's file too. */
    platformFileChosen: (shown, { payload }: PayloadAction<DeletionChoice>): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload } : shown,
    /** The person confirmed "Delete my data". */
    deletionConfirmed: (shown, { payload }: PayloadAction<DeletionChoice>): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload, isDeleting: true } : shown,
    /** The person closed the dialog, or their data was deleted. */
    closed: () => none,
  },
});

export const {
  opened: dialogOpened,
  platformFileChosen,
  deletionConfirmed,
  closed: dialogClosed,
} = slice.actions;

/** Reduces the dialog. */
export const dialogReducer = slice.reducer;
