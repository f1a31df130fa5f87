import { app, powerMonitor } from 'electron';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { messengerWindows } from '../window/messengerWindows.ts';
import { createDesktopCommands } from './desktopCommands.ts';
import { setUpMenu } from './setUpMenu.ts';
import { setUpNotifications } from './setUpNotifications.ts';
import { setUpTray } from './setUpTray.ts';
import { showUnread } from './showUnread.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'onResume'>;
}

/**
 * Sets up the desktop: tray, menu, notifications, unread count, and the check after the machine's sleep. Only row 7 of the
 * platform's updates shows a notification: the badge and the title show the rest silently.
 */
export function setUpDesktop({ store, listeners, messenger }: Options): void {
  const commands = createDesktopCommands(store.dispatch);
  showUnread({ app, listeners, windows: messengerWindows });
  setUpNotifications(listeners, commands.showWindow);
  setUpTray({ store, listeners, commands });
  setUpMenu({ store, listeners, commands });
  powerMonitor.on('resume', messenger.onResume);
  app.on('second-instance', commands.showWindow);
  app.on('activate', commands.showWindow);
  app.on('new-window-for-tab', commands.openWindow);
}
