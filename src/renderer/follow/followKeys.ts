import { flushSync } from 'react-dom';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import { textBoxClosed, textBoxOpened } from '#shared/actions/windowActions.ts';
import { printedCharacter } from '#ui/window/conversation/keys.ts';
import { isBehindDialog } from '../base/isBehindDialog.ts';
import { showsConversation } from '../base/showsConversation.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import { scrollByKey } from './scrollByKey.ts';

/** The elements that take keys and pasted text themselves. */
export const FIELDS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="menu"], search';
/** The text box. */
export const TEXT_BOX = '.text-box textarea';
/** Whether shortcuts have Command instead of Control. */
export const isMac = navigator.userAgent.includes('Mac OS');

/** Returns whether keys belong to the text box: the window shows the conversation, and no dialog or alert, which get the keys themselves. */
export const givesKeysToTextBox = (own: WindowState) => showsConversation(own) && !isBehindDialog(own);

/**
 * Follows the keys that are pressed in the window outside of fields, menus and dialogs: they open and close the text box (spec §4.4.1) and
 * scroll the conversation, which keys in the text box do too.
 */
export function followKeys(target: Window, { getState, dispatch }: WindowStateStore): void {
  target.addEventListener('keydown', (event) => {
    const { own } = getState();
    const field = event.target instanceof Element ? event.target.closest(FIELDS) : null;
    if (!givesKeysToTextBox(own) || event.defaultPrevented) return;
    if ((field === null || field.matches(TEXT_BOX)) && actsOnLog(event, field)) event.preventDefault();
    if (field !== null || event.defaultPrevented) return;
    if (event.key === 'Escape' && !event.isComposing && own.textBox !== null) dispatch(textBoxClosed());
    const character = printedCharacter(event, isMac);
    if (character === null) return;
    if (own.textBox === null) {
      event.preventDefault();
      // Synchronous, so that the next key already goes to the box.
      flushSync(() => dispatch(textBoxOpened({ text: character })));
    } else {
      // The open box takes the character itself.
      target.document.querySelector<HTMLElement>(TEXT_BOX)?.focus();
    }
  });
}

/** Selects or scrolls the whole conversation; returns whether the key does either. */
function actsOnLog(event: KeyboardEvent, field: Element | null): boolean {
  const log = document.querySelector<HTMLElement>('[role="log"]');
  if (log === null) return false;
  if (field !== null || !isSelectAll(event)) return scrollByKey(event, log);
  // The browser would select the buttons too.
  document.getSelection()?.selectAllChildren(log);
  return true;
}

const isSelectAll = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'a' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
