import type { Middleware } from '@reduxjs/toolkit';
import { isOfType } from '#shared/isOfType.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import {
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import type { TextMemory } from './createTextMemory.ts';

/** Keeps the texts of the text box in the memory, and opens the box with the draft when the window shows the conversation (after a reload). */
export const rememberTexts =
  (memory: TextMemory): Middleware<object, { readonly own: WindowState }> =>
  ({ getState, dispatch }) => {
    const restoreDraft = () => {
      const { view, startFailure, textBox } = getState().own;
      const text = memory.draft();
      if (view === 'conversation' && startFailure === null && textBox === null && text !== '')
        dispatch(textBoxOpened({ text }));
    };
    return (next) => (action) => {
      const text = getState().own.textBox ?? '';
      const result = next(action);
      if (isOfType(action, textBoxOpened) || isOfType(action, textBoxEdited))
        memory.keepDraft(getState().own.textBox ?? '');
      else if (isOfType(action, textBoxSent)) memory.keepSent(text);
      else if (isOfType(action, textBoxClosed)) memory.keepDropped(text);
      else if (isOfType(action, viewChanged) || isOfType(action, startFailureChanged)) restoreDraft();
      return result;
    };
  };
