import { flushSync } from 'react-dom';
import { dialogRequested } from '#shared/actions/userActions.ts';
import { textBoxClosed, textBoxOpened, textBoxEdited } from '#shared/actions/windowActions.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { scrollFor } from '#ui/useListHandle.ts';
import { isFindKey } from '#ui/window/conversation/FindBar.tsx';
import { printedCharacter } from '#ui/window/conversation/keys.ts';
import { openFind } from '../commands/createWindowCommands.ts';
import type { TextMemory } from '../store/createTextMemory.ts';
import { isBehindDialog, showsConversation, type WindowStateStore } from '../store/windowStateStore.ts';

/** The elements that take keys and pasted text themselves. */
export const FIELDS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="menu"], search';
/** The text box. */
export const TEXT_BOX = '.text-box textarea';
/** Whether shortcuts have Command instead of Control. */
const isMac = globalThis.navigator?.userAgent.includes('Mac OS') ?? false;

/** Returns whether keys belong to the text box: the window shows the conversation, and no dialog or alert, which get the keys themselves. */
export const givesKeysToTextBox = (own: WindowState) => showsConversation(own) && !isBehindDialog(own);

/**
 * Follows the keys that are pressed in the window outside of fields, menus and dialogs: they open and close the text box (spec §4.4.1) and
 * scroll the conversation, which keys in the text box do too.
 */
export function handleKeys(target: Window, { getState, dispatch }: WindowStateStore): void {
  target.addEventListener('keydown', (event) => {
    const { own } = getState();
    const field = event.target instanceof Element ? event.target.closest(FIELDS) : null;
    if (!givesKeysToTextBox(own) || event.defaultPrevented) return;
    if ((field === null || field.matches(TEXT_BOX)) && actsOnLog(event, field)) event.preventDefault();
    if (field !== null || event.defaultPrevented) return;
    if (event.key === 'Escape' && !event.isComposing && own.textBox !== null) {
      // The find bar, which is open too, is closed by the next one.
      event.preventDefault();
      dispatch(textBoxClosed());
    }
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
  if (field !== null || !isShortcut(event, 'a')) return scrollByKey(event, log);
  // The browser would select the buttons too.
  document.getSelection()?.selectAllChildren(log);
  return true;
}

/** Returns whether a key is a shortcut: a letter with Control (Command on a Mac), without other modifiers. */
const isShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, letter: string): boolean =>
  key.toLowerCase() === letter && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;

/** The part of the view's height that PageUp and PageDown scroll, as in Chromium. */
const PAGE = 0.875;

/**
 * Scrolls the conversation when Home, End, PageUp or PageDown is pressed without a modifier; returns whether it scrolled. It scrolls in one
 * step: rows that are measured during the browser's animation would move its target, and the animation would be faster than rows are drawn.
 */
function scrollByKey(event: KeyboardEvent, log: HTMLElement): boolean {
  const { key, target, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
  if (shiftKey || ctrlKey || altKey || metaKey || isComposing || !(target instanceof Element)) return false;
  if (key === 'Home' || key === 'End') {
    // The text box needs these two for its caret.
    if (target.matches('textarea')) return false;
    scrollFor(log, { top: key === 'Home' ? 0 : log.scrollHeight });
    return true;
  }
  if (key !== 'PageUp' && key !== 'PageDown') return false;
  scrollFor(log, { top: log.scrollTop + log.clientHeight * (key === 'PageUp' ? -PAGE : PAGE) });
  return true;
}

/** Restores the text that Escape dropped from the text box when the person presses Ctrl+Z (⌘Z) outside of fields, or in the empty text box. */
export function handleUndo(
  target: Window,
  { getState, dispatch }: WindowStateStore,
  texts: Pick<TextMemory, 'takeDropped'>,
): void {
  target.addEventListener('keydown', (event) => {
    const { own } = getState();
    if (!isShortcut(event, 'z') || event.isComposing || event.defaultPrevented || !givesKeysToTextBox(own))
      return;
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

/**
 * Opens the find bar with Ctrl+F or ⌘F, in place of the browser's own, which finds only what is in the document; and when main requests it
 * (*Find…* in the application's menu).
 */
export function handleFind(
  { target, tools }: { readonly target: Window; readonly tools: Pick<ParleyToolsBridge, 'on'> },
  store: WindowStateStore,
): void {
  tools.on('find', () => {
    if (!isBehindDialog(store.getState().own)) openFind(store);
  });
  target.addEventListener('keydown', (event) => {
    const { own } = store.getState();
    if (!isFindKey(event) || !showsConversation(own) || event.defaultPrevented) return;
    event.preventDefault();
    if (!isBehindDialog(own)) openFind(store);
  });
}

/** Prints the conversation when main requests it. The key for printing requests it from main, in place of the browser's own command. */
export function handlePrint(
  tools: Pick<ParleyToolsBridge, 'on' | 'send'>,
  { getState }: Pick<WindowStateStore, 'getState'>,
  print: () => void,
): void {
  tools.on('print', print);
  window.addEventListener('keydown', (event) => {
    if (!isShortcut(event, 'p') || !showsConversation(getState().own)) return;
    event.preventDefault();
    tools.send('action', dialogRequested({ dialog: 'print' }));
  });
}
