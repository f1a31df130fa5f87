import type { App, BrowserWindow } from 'electron';
import { windowTitle } from '#shared/window/attention.ts';
import type { Listeners } from '../store/listeners.ts';

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
      const { attention } = getState();
      app.setBadgeCount(attention.unread);
      for (const window of windows()) window.setTitle(windowTitle(attention));
    },
  });
}
