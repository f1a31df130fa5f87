import { app, powerMonitor, type App, type BrowserWindow } from 'electron';
import { windowTitle } from '#shared/store/openWindows.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';
import { messengerWindows } from '../window/messengerWindows.ts';
import { createDesktopCommands } from './desktopCommands.ts';
import { setUpMenu } from './setUpMenu.ts';
import { setUpNotifications } from './setUpNotifications.ts';
import { setUpTray } from './setUpTray.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'onResume'>;
}

/**
 * Sets up the desktop: tray, menu, notifications, unread count, and the check after the machine's sleep. Only the
 * platform's update for it shows a notification: the badge and the title show the rest silently.
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

interface ShowUnreadOptions {
  readonly app: Pick<App, 'setBadgeCount'>;
  readonly listeners: Listeners;
  readonly windows: () => readonly Pick<BrowserWindow, 'setTitle'>[];
}

/** Shows the number of unread messages on the program's icon and in the title of every window. */
export function showUnread({ app: program, listeners, windows }: ShowUnreadOptions): void {
  listeners.startListening({
    predicate: (_, now, before) => now.attention.unread !== before.attention.unread,
    effect(_, { getState }) {
      const { attention } = getState();
      program.setBadgeCount(attention.unread);
      for (const window of windows()) window.setTitle(windowTitle(attention));
    },
  });
}

/** The application's identifier in the installers: `appId` in `packaging/config.mjs`. */
export const APP_ID = 'app.parley.desktop';

/**
 * Sets the name of the program, which Electron otherwise takes from a package: the operating system's keyring stores the key
 * of `safeStorage` under it, and Linux finds the icon of a window with it. On Windows, notifications and the taskbar's
 * group need the identifier of the installed shortcut. Call it before `app` is ready.
 */
export function identifyProgram(program: Pick<App, 'setName' | 'setAppUserModelId'>, platform: string): void {
  program.setName('Parley');
  if (platform === 'win32') program.setAppUserModelId(APP_ID);
}
