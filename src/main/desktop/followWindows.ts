import type { BrowserWindow } from 'electron';
import type { MainStore } from '../store/mainStore.ts';
import { windowBlurred, windowFocused } from '../store/attention.ts';

type Looked = Pick<BrowserWindow, 'isDestroyed' | 'isVisible' | 'isMinimized' | 'isFocused'>;

interface Options {
  /** Says of each window that it was made. */
  readonly app: {
    on(
      event: 'browser-window-created',
      listener: (event: unknown, window: Pick<NodeJS.EventEmitter, 'on'>) => void,
    ): unknown;
  };
  readonly store: MainStore;
  readonly windows: () => readonly Looked[];
}

const CHANGES = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore', 'closed'];

/** Tells the store when somebody begins to look at one of our windows, and when nobody does any more. */
export function followWindows({ app, store, windows }: Options): void {
  const look = () => {
    const isWatched = windows().some(isLookedAt);
    if (isWatched === store.getState().attention.isWatched) return;
    store.dispatch(isWatched ? windowFocused() : windowBlurred());
  };
  app.on('browser-window-created', (_, window) => {
    for (const change of CHANGES) window.on(change, look);
  });
}

const isLookedAt = (window: Looked) =>
  !window.isDestroyed() && window.isVisible() && !window.isMinimized() && window.isFocused();
