import type { BrowserWindow } from 'electron';
import {
  type WindowState,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
} from '#shared/window/windows.ts';
import { attentionGained, attentionLost } from '#shared/window/attention.ts';
import type { MainStore } from '../store/mainStore.ts';

/** The part of a window that is followed. */
type FollowedWindow = Pick<BrowserWindow, 'isVisible' | 'isMinimized' | 'isFocused'> &
  Pick<NodeJS.EventEmitter, 'on'>;

const CHANGES = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore'];

/**
 * Dispatches what happens to a window from its opening to its end: a fact for each change, and whether any visible window has the focus.
 */
export function followWindow(store: MainStore, window: FollowedWindow, number: number): void {
  const check = () => {
    const state = store.getState().windows[number];
    if (state === undefined) return;
    const { isVisible, isFocused, isMinimized } = state;
    if (window.isVisible() !== isVisible) store.dispatch((isVisible ? windowHidden : windowShown)(number));
    if (window.isMinimized() !== isMinimized)
      store.dispatch((isMinimized ? windowRestored : windowMinimized)(number));
    if (window.isFocused() !== isFocused) store.dispatch((isFocused ? windowBlurred : windowFocused)(number));
    checkAttention(store);
  };
  store.dispatch(windowOpened(number));
  for (const change of CHANGES) window.on(change, check);
  window.on('closed', () => {
    store.dispatch(windowClosed(number));
    checkAttention(store);
  });
}

function checkAttention(store: MainStore): void {
  const { windows, attention } = store.getState();
  const isWatched = Object.values(windows).some(isVisibleAndFocused);
  if (isWatched !== attention.isWatched) store.dispatch(isWatched ? attentionGained() : attentionLost());
}

const isVisibleAndFocused = ({ isVisible, isFocused, isMinimized }: WindowState) =>
  isVisible && isFocused && !isMinimized;
