import { join } from 'node:path';
import { type WebContents, app, powerMonitor, session } from 'electron';
import type { DeletionChoice } from '#shared/ipc/tools.ts';
import type { Settings } from '#shared/settings.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import type { Recorder } from '../capture/recorder.ts';
import { type BuiltInPlatform, builtInPlatform } from '../data/builtInPlatform.ts';
import { deleteData } from '../data/deleteData.ts';
import type { Listeners } from '../store/listeners.ts';
import type { Logger } from '#log/createLogger.ts';
import type { Messenger } from '../session/messenger.ts';
import type { PreferencesKeeper } from '../preferences/keepPreferences.ts';
import type { MainStore } from '../store/mainStore.ts';
import { setUpMenu } from './setUpMenu.ts';
import { setUpNotifications } from './setUpNotifications.ts';
import type { Places } from '../window/places.ts';
import { sendToolsToAll, sendTools } from '../window/sendToWindows.ts';
import { excludedWindows, messengerWindows } from '../window/messengerWindows.ts';
import { setUpTray } from './setUpTray.ts';
import { type WindowOptions, openWindow, showWindow } from '../window/windows.ts';
import { aboutParley } from './about.ts';
import { copyDiagnostics } from './copyDiagnostics.ts';
import type { LogTail } from '../base/logTail.ts';
import { showUnread } from './showUnread.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly messenger: Messenger;
  readonly recorder: Recorder;
  /** Opens the inspector, or brings it to the front. */
  readonly inspect: () => void;
  readonly captures: CaptureLimiter;
  readonly preferences: PreferencesKeeper;
  readonly places: Pick<Places, 'forget'>;
  readonly tail: LogTail;
  readonly log: Logger;
  readonly windowOptions: WindowOptions;
}

/** The requests of windows to the program itself. The answer goes to the window that sent the request. */
export interface Desktop {
  showSettings(window: WebContents): void;
  showAbout(window: WebContents): void;
  showDeleteData(window: WebContents): void;
  /** Deletes the person's data; notifies every window when it is done. */
  deleteData(choice: DeletionChoice): void;
  copyDiagnostics(window: WebContents): void;
}

/**
 * Sets up the desktop: tray, menu, notifications, unread count, and the check after the machine's sleep. Only row 7 of the
 * platform's updates shows a notification: the badge and the title show the rest silently.
 */
export function setUpDesktop(options: Options): Desktop {
  const { store, listeners, messenger, recorder, windowOptions } = options;
  const desktop = createDesktop(options, builtInPlatform(options.settings, process.env));
  const show = () => showWindow(windowOptions);
  const inFront = () => (messengerWindows().find((window) => window.isFocused()) ?? show()).webContents;
  const acts = {
    showWindow: () => void show(),
    openWindow: () => void openWindow(windowOptions),
    saveSession: () => void recorder.save().then((saved) => sendToolsToAll('saved', saved)),
    inspectSession: options.inspect,
    reconnect: messenger.reconnect,
    signOut: () => void messenger.signOut(),
    showSettings: () => desktop.showSettings(inFront()),
    showAbout: () => desktop.showAbout(inFront()),
    showDeleteData: () => desktop.showDeleteData(inFront()),
    copyDiagnostics: () => desktop.copyDiagnostics(inFront()),
    quit: () => app.quit(),
  };
  showUnread({ app, listeners, windows: messengerWindows });
  setUpNotifications(listeners, acts.showWindow);
  setUpTray({ store, listeners, acts });
  setUpMenu({ store, listeners, acts });
  powerMonitor.on('resume', messenger.onResume);
  app.on('second-instance', acts.showWindow);
  app.on('activate', acts.showWindow);
  app.on('new-window-for-tab', acts.openWindow);
  return desktop;
}

const createDesktop = (options: Options, platform: BuiltInPlatform | undefined): Desktop => ({
  showSettings(window) {
    const captures = join(options.dataDir, 'captures');
    void options.captures.stored().then((stored) => sendTools(window, 'settings', { captures, stored }));
  },
  showAbout: (window) => sendTools(window, 'about', aboutParley(app.getVersion(), process.versions)),
  showDeleteData(window) {
    const { dataDir: folder } = options;
    sendTools(window, 'deleteData', { folder, isPlatformBuiltIn: platform !== undefined });
  },
  deleteData(choice) {
    const deletion = deleteData({ ...options, ...PAGES, builtInPlatform: platform }, choice);
    void deletion.then((text) => sendToolsToAll('dataDeleted', text));
  },
  copyDiagnostics(window) {
    void copyDiagnostics(options).then((isCopied) => sendTools(window, 'diagnosticsCopied', isCopied));
  },
});

/** Deletes the person's data that the pages show and store. */
const PAGES = {
  closeInspector() {
    for (const window of excludedWindows()) window.destroy();
  },
  async clearPages() {
    await session.defaultSession.clearStorageData();
    await session.defaultSession.clearCache();
  },
};
