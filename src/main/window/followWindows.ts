import type { BrowserWindow } from 'electron';
import { isVisibleAndFocused } from '#shared/window/windows.ts';
import { WINDOW_RATE } from '#shared/limits.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import {
  attentionGained,
  attentionLost,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
} from '#shared/actions/mainActions.ts';
import type { MainStore } from '../store/mainStore.ts';

/** The part of a window that is followed. */
type FollowedWindow = Pick<BrowserWindow, 'isVisible' | 'isMinimized' | 'isFocused'> &
  Pick<NodeJS.EventEmitter, 'on'>;

const CHANGES = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore'];

/** When the changes of a window are over their limit, it is looked at again after this time. */
const NEXT_CHECK_MS = 1000;

/**
 * Returns a function that dispatches what happens to a window from its opening to its end: an action for each change, and whether any visible window has the
 * focus. Over `WINDOW_RATE`, changes are skipped, and the actions follow later: in the web host a page's script can claim any number of changes, and captures
 * contain them.
 */
export const followWindows =
  (store: MainStore, clock: Clock) =>
  (window: FollowedWindow, number: number): void =>
    follow({ store, clock }, window, number);

interface Deps {
  readonly store: MainStore;
  readonly clock: Clock;
}

function follow({ store, clock }: Deps, window: FollowedWindow, number: number): void {
  const bucket = createTokenBucket(WINDOW_RATE, clock);
  let nextCheck: Cancel | undefined;
  const check = () => {
    if (!bucket.take(1)) {
      nextCheck ??= clock.after(NEXT_CHECK_MS, checkLater);
      return;
    }
    const state = store.getState().windows[number];
    if (state === undefined) return;
    const { isVisible, isFocused, isMinimized } = state;
    if (window.isVisible() !== isVisible) store.dispatch((isVisible ? windowHidden : windowShown)(number));
    if (window.isMinimized() !== isMinimized)
      store.dispatch((isMinimized ? windowRestored : windowMinimized)(number));
    if (window.isFocused() !== isFocused) store.dispatch((isFocused ? windowBlurred : windowFocused)(number));
    checkAttention(store);
  };
  const checkLater = () => {
    nextCheck = undefined;
    check();
  };
  store.dispatch(windowOpened(number));
  for (const change of CHANGES) window.on(change, check);
  window.on('closed', () => {
    nextCheck?.();
    store.dispatch(windowClosed(number));
    checkAttention(store);
  });
}

function checkAttention(store: MainStore): void {
  const { windows, attention } = store.getState();
  const isWatched = Object.values(windows).some(isVisibleAndFocused);
  if (isWatched !== attention.isWatched) store.dispatch(isWatched ? attentionGained() : attentionLost());
}
