import { flushSync } from 'react-dom';
import { copied } from '#shared/actions/outputActions.ts';
import {
  noteShown,
  textBoxEdited,
  textBoxOpened,
  fileDropEntered,
  fileDropLeft,
} from '#shared/actions/windowActions.ts';
import { betweenCharacters } from '#shared/formatText.ts';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { CODE_COPIED, CodeCopied } from '#ui/code/decorateCode.ts';
import { PASTE_CUT, PASTE_SHORTENED } from '../commands/sendFile.ts';
import type { PastedText } from '../store/createTextMemory.ts';
import { type WindowStateStore, showsConversation } from '../store/windowStateStore.ts';
import { FIELDS, TEXT_BOX, givesKeysToTextBox } from './handleKeys.ts';

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
export function handlePaste(
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

/**
 * Returns whether a pasted text only names the files that were pasted with it, one on each line: file managers copy the names or addresses of files as
 * text too.
 */
export function namesFiles(text: string, files: readonly Pick<File, 'name'>[]): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === files.length && files.every(({ name }, at) => isNameOrPath(lines[at] ?? '', name));
}

const isNameOrPath = (line: string, name: string): boolean =>
  line === name || line.startsWith('file://') || line.endsWith(`/${name}`) || line.endsWith(`\\${name}`);

/**
 * Follows what the person copies: selections, and blocks of code. Their texts are in no action. A long selection over several messages is copied
 * later, by `copyLater`.
 */
export function reportCopies(target: Window, { dispatch }: Pick<WindowStateStore, 'dispatch'>): void {
  // At the window: what the conversation copies itself is on the clipboard already.
  target.addEventListener('copy', (event) => {
    const length = event.defaultPrevented
      ? (event.clipboardData?.getData('text/plain').length ?? 0)
      : selectedLength(target.document);
    if (length > 0) dispatch(copied({ kind: 'selection', length, outcome: 'copied' }));
  });
  target.addEventListener(CODE_COPIED, (event) => {
    if (!(event instanceof CodeCopied)) return;
    const { codeLength: length, isCopied } = event;
    dispatch(copied({ kind: 'code', length, outcome: isCopied ? 'copied' : 'failed' }));
  });
}

/** Returns the length of the selection that the browser copies, in UTF-16 units; 0 when there is none. */
function selectedLength(document: Document): number {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  if (!isField) return document.getSelection()?.toString().length ?? 0;
  // The browser copies no password.
  if (activeElement.type === 'password') return 0;
  return (activeElement.selectionEnd ?? 0) - (activeElement.selectionStart ?? 0);
}

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') === true;

/** Follows whether files are dragged over the window while it shows the conversation. */
export function handleDrags(target: Window, { getState, dispatch }: WindowStateStore): void {
  const leave = () => {
    if (getState().own.fileDrop) dispatch(fileDropLeft());
  };
  target.addEventListener('dragenter', (event) => {
    const { own } = getState();
    if (hasFiles(event.dataTransfer) && showsConversation(own) && !own.fileDrop) dispatch(fileDropEntered());
  });
  target.addEventListener('dragleave', (event) => {
    // `relatedTarget` is the element that the drag enters; it is `null` when the drag leaves the window.
    if (event.relatedTarget === null) leave();
  });
  target.addEventListener('drop', leave, { capture: true });
}

/** The elements into which the browser may drop dragged text. */
const TEXT_FIELDS = 'input:not([type="file"]), textarea';

const isTextIntoField = (event: DragEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest(TEXT_FIELDS) !== null &&
  event.dataTransfer?.types.includes('Files') === false;

/** Prevents the window from navigating to dropped files and links. Drop areas handle their events before. */
export function refuseDrops(target: Window): void {
  target.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || isTextIntoField(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  target.addEventListener('drop', (event) => {
    if (!isTextIntoField(event)) event.preventDefault();
  });
}
