import type { App, BrowserWindow } from 'electron';
import type { Listeners } from '../store/listeners.ts';
import { badgeCount, windowTitle } from './trayState.ts';

interface Options {
  readonly app: Pick<App, 'setBadgeCount'>;
  readonly listeners: Listeners;
  readonly windows: () => readonly Pick<BrowserWindow, 'setTitle'>[];
}

/** Shows the number of unread messages on the program's icon and in the title of every window. */
export function showUnread({ app, listeners, windows }: Options): void {
  listeners.startListening({
    predicate: (_, now, before) => now.attention.unread !== before.attention.unread,
    effect(_, { getState }) {
      const state = getState();
      app.setBadgeCount(badgeCount(state));
      for (const window of windows()) window.setTitle(windowTitle(state));
    },
  });
}
