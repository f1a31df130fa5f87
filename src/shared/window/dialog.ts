import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { AssistantDialogData, AssistantResult } from '../ipc/assistant.ts';
import type { About, DeletionChoice, DeletionDialogData, SettingsDialogData } from '../ipc/tools.ts';

/** A dialog and what it shows beside the shared state. */
export type OpenedDialog =
  | { readonly dialog: 'settings'; readonly contents: SettingsDialogData }
  | { readonly dialog: 'assistant'; readonly contents: AssistantDialogData }
  | { readonly dialog: 'about'; readonly contents: About }
  | { readonly dialog: 'deleteData'; readonly contents: DeletionDialogData }
  | { readonly dialog: 'export' };

/** The choices of the dialog "Delete my data". */
interface Deletion extends DeletionChoice {
  /** Whether the person confirmed the deletion. */
  readonly isDeleting: boolean;
}

/** What runs for the dialog "Assistant". */
export const ASSISTANT_WORKS = ['test', 'save'] as const;
export type AssistantWork = (typeof ASSISTANT_WORKS)[number];

/** The state of the dialog "Assistant". What the person enters is in its fields only. */
interface AssistantProgress {
  readonly work: AssistantWork | null;
  /** The result of the last test, or why the settings were not saved. */
  readonly result: AssistantResult | null;
  /** The models that the last successful test found. */
  readonly models: readonly string[];
}

/** The open dialog; `null` when there is none. */
export type DialogState =
  | Exclude<OpenedDialog, { readonly dialog: 'deleteData' | 'assistant' }>
  | (Extract<OpenedDialog, { readonly dialog: 'assistant' }> & AssistantProgress)
  | (Extract<OpenedDialog, { readonly dialog: 'deleteData' }> & Deletion)
  | null;

const none = null as DialogState;

/** Returns the state of a dialog that has just opened. */
function initial(opened: OpenedDialog): DialogState {
  if (opened.dialog === 'deleteData') return { ...opened, platformFile: false, isDeleting: false };
  if (opened.dialog === 'assistant') return { ...opened, work: null, result: null, models: [] };
  return opened;
}

const slice = createSlice({
  name: 'dialog',
  initialState: none,
  reducers: {
    opened: (_, { payload }: PayloadAction<OpenedDialog>): DialogState => initial(payload),
    /** The person chose whether "Delete my data" deletes the built-in platform's file too. */
    platformFileChosen: (shown, { payload }: PayloadAction<DeletionChoice>): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload } : shown,
    /** The person confirmed "Delete my data". */
    deletionConfirmed: (shown, { payload }: PayloadAction<DeletionChoice>): DialogState =>
      shown?.dialog === 'deleteData' ? { ...shown, ...payload, isDeleting: true } : shown,
    /** The person requested a test, or that the settings of the assistant are stored. */
    assistantSubmitted: (
      shown,
      { payload: { work } }: PayloadAction<{ readonly work: AssistantWork }>,
    ): DialogState => (shown?.dialog === 'assistant' ? { ...shown, work, result: null } : shown),
    /** Main answered. A dialog whose settings were stored closes. */
    assistantAnswered: (
      shown,
      { payload: { result } }: PayloadAction<{ readonly result: AssistantResult }>,
    ): DialogState => {
      if (shown?.dialog !== 'assistant' || shown.work === null) return shown;
      if (result.kind === 'saved') return none;
      return { ...shown, work: null, result, ...(result.kind === 'tested' && { models: result.models }) };
    },
    /** The person closed the dialog, or their data was deleted. */
    closed: () => none,
  },
});

export const {
  opened: dialogOpened,
  platformFileChosen,
  deletionConfirmed,
  assistantSubmitted,
  assistantAnswered,
  closed: dialogClosed,
} = slice.actions;

/** Reduces the dialog. */
export const dialogReducer = slice.reducer;
