import { flushSync } from 'react-dom';
import { textBoxEdited, textBoxOpened } from '#shared/actions/windowActions.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import type { TextMemory } from '../texts/createTextMemory.ts';
import { FIELDS, TEXT_BOX, givesKeysToTextBox, isMac } from './followKeys.ts';

/** Restores the text that Escape dropped from the text box when the person presses Ctrl+Z (⌘Z) outside of fields, or in the empty text box. */
export function followUndo(
  target: Window,
  { getState, dispatch }: WindowStateStore,
  texts: Pick<TextMemory, 'takeDropped'>,
): void {
  target.addEventListener('keydown', (event) => {
    const { own } = getState();
    if (!isUndo(event) || event.defaultPrevented || !givesKeysToTextBox(own)) return;
    const field = event.target instanceof Element ? event.target.closest(FIELDS) : null;
    // A text that is not empty has the browser's undo.
    if ((field !== null && !field.matches(TEXT_BOX)) || (own.textBox ?? '') !== '') return;
    const text = texts.takeDropped();
    if (text === '') return;
    event.preventDefault();
    const restored = own.textBox === null ? textBoxOpened({ text }) : textBoxEdited({ text });
    flushSync(() => dispatch(restored));
  });
}

const isUndo = ({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'z' &&
  (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) &&
  !altKey &&
  !shiftKey &&
  !isComposing;
