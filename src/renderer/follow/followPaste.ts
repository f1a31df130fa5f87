import { flushSync } from 'react-dom';
import { betweenCharacters } from '#shared/formatText.ts';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { noteShown, textBoxEdited, textBoxOpened } from '#shared/actions/windowActions.ts';
import { PASTE_CUT, PASTE_SHORTENED } from '../commands/composerTexts.ts';
import { namesFiles } from '../commands/namesFiles.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import type { PastedText } from '../texts/PastedText.ts';
import { FIELDS, TEXT_BOX, givesKeysToTextBox } from './followKeys.ts';

interface Options {
  /** Sends the files. */
  readonly pasteFiles: (data: DataTransfer) => void;
  /** Keeps a text that is too long for the text box. */
  readonly pasted: Pick<PastedText, 'keep'>;
}

/**
 * Follows what the person pastes outside of fields: a text opens the text box, or is added to the open one; files are sent, also when they are pasted
 * into the text box. Of a text and an image, as spreadsheets copy a cell, the text is pasted.
 */
export function followPaste(
  target: Window,
  { getState, dispatch }: WindowStateStore,
  { pasteFiles, pasted }: Options,
): void {
  target.addEventListener('paste', (event) => {
    const { clipboardData: data } = event;
    const { own } = getState();
    const field = event.target instanceof Element ? event.target.closest(FIELDS) : null;
    if (data === null || event.defaultPrevented || !givesKeysToTextBox(own)) return;
    if (field !== null && !field.matches(TEXT_BOX)) return;
    const text = data.getData('text/plain').replaceAll(/\r\n?/g, '\n');
    if (data.files.length > 0 && (text === '' || namesFiles(text, Array.from(data.files)))) {
      event.preventDefault();
      pasteFiles(data);
    } else if (text !== '') {
      const box = target.document.querySelector<HTMLTextAreaElement>(TEXT_BOX);
      if (text.length > roomIn(box))
        dispatch(noteShown({ text: pasted.keep(text, roomIn(box)) ? PASTE_SHORTENED : PASTE_CUT }));
      // The text box takes the text itself.
      if (field !== null) return;
      event.preventDefault();
      if (box === null) flushSync(() => dispatch(textBoxOpened({ text })));
      else insert(box, text.slice(0, betweenCharacters(text, roomIn(box))), dispatch);
    }
  });
}

/** Returns the number of characters that can be inserted at the selection of the text box, in UTF-16 units. */
const roomIn = (box: HTMLTextAreaElement | null): number =>
  STATE_TEXT_LENGTH - (box === null ? 0 : box.value.length - Math.abs(box.selectionEnd - box.selectionStart));

function insert(box: HTMLTextAreaElement, text: string, dispatch: WindowStateStore['dispatch']): void {
  box.focus();
  box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
  flushSync(() => dispatch(textBoxEdited({ text: box.value })));
}
