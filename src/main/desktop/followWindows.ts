import type { BrowserWindow } from 'electron';
import type { MainStore } from '../store/mainStore.ts';
import { windowBlurred, windowFocused } from '../store/attention.ts';

type ObservedWindow = Pick<BrowserWindow, 'isDestroyed' | 'isVisible' | 'isMinimized' | 'isFocused'>;

interface Options {
  /** Emits an event for each new window. */
  readonly app: {
    on(
      event: 'browser-window-created',
      listener: (event: unknown, window: Pick<NodeJS.EventEmitter, 'on'>) => void,
    ): unknown;
  };
  readonly store: MainStore;
  readonly windows: () => readonly ObservedWindow[];
}

const CHANGES = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore', 'closed'];

/** Dispatches an action when a visible window gets the focus, and when none has it any more. */
export function followWindows({ app, store, windows }: Options): void {
  const check = () => {
    const isWatched = windows().some(isVisibleAndFocused);
    if (isWatched === store.getState().attention.isWatched) return;
    store.dispatch(isWatched ? windowFocused() : windowBlurred());
  };
  app.on('browser-window-created', (_, window) => {
    for (const change of CHANGES) window.on(change, check);
  });
}

const isVisibleAndFocused = (window: ObservedWindow) =>
  !window.isDestroyed() && window.isVisible() && !window.isMinimized() && window.isFocused();
