import { join } from 'node:path';
import { type WebContents, app, powerMonitor } from 'electron';
import type { DeletionChoice } from '#shared/ipc/tools.ts';
import type { Settings } from '#shared/settings.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { BuiltInPlatform } from '../data/builtInPlatform.ts';
import { deleteData } from '../data/deleteData.ts';
import { pagesData } from '../data/pagesData.ts';
import type { Listeners } from '../listeners.ts';
import type { Logger } from '../log.ts';
import type { Messenger } from '../messenger.ts';
import type { PreferencesKeeper } from '../preferences/preferences.ts';
import type { MainStore } from '../store.ts';
import { setUpMenu } from '../window/menu.ts';
import { setUpNotifications } from '../window/notifications.ts';
import type { Places } from '../window/places.ts';
import { tellAll, tellTools } from '../window/tellTools.ts';
import { ourWindows } from '../window/sender.ts';
import { setUpTray } from '../window/tray.ts';
import { type WindowOptions, openWindow, showWindow } from '../window/windows.ts';
import { aboutParley } from './about.ts';
import { copyDiagnostics } from './copyDiagnostics.ts';
import { followWindows } from './followWindows.ts';
import type { LogTail } from './logTail.ts';
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
  readonly builtInPlatform: BuiltInPlatform | undefined;
  readonly tail: LogTail;
  readonly log: Logger;
  readonly windowOptions: WindowOptions;
}

/** What windows may ask of the program itself; each is answered to the window that asked. */
export interface Desktop {
  showSettings(window: WebContents): void;
  showAbout(window: WebContents): void;
  showDeleteData(window: WebContents): void;
  /** Deletes the person's data; notifies every window when it is done. */
  deleteData(choice: DeletionChoice): void;
  copyDiagnostics(window: WebContents): void;
}

/**
 * The program around its windows: tray, menu, notifications, what is unread, and the machine's sleep. Row 7 of the
 * platform's updates notifies and nothing else does: the badge and the title say the rest without a sound.
 */
export function setUpDesktop(options: Options): Desktop {
  const { store, listeners, messenger, recorder, windowOptions } = options;
  const desktop = desktopFor(options);
  const show = () => showWindow(windowOptions);
  const inFront = () => (ourWindows().find((window) => window.isFocused()) ?? show()).webContents;
  const acts = {
    showWindow: () => void show(),
    openWindow: () => void openWindow(windowOptions),
    saveSession: () => void recorder.save().then((session) => tellAll('saved', session)),
    inspectSession: options.inspect,
    reconnect: messenger.reconnect,
    signOut: () => void messenger.signOut(),
    showSettings: () => desktop.showSettings(inFront()),
    showAbout: () => desktop.showAbout(inFront()),
    showDeleteData: () => desktop.showDeleteData(inFront()),
    copyDiagnostics: () => desktop.copyDiagnostics(inFront()),
    quit: () => app.quit(),
  };
  followWindows({ app, store, windows: ourWindows });
  showUnread({ app, listeners, windows: ourWindows });
  setUpNotifications(listeners, acts.showWindow);
  setUpTray({ store, listeners, acts });
  setUpMenu({ store, listeners, acts });
  powerMonitor.on('resume', messenger.woke);
  app.on('second-instance', acts.showWindow);
  app.on('activate', acts.showWindow);
  app.on('new-window-for-tab', acts.openWindow);
  return desktop;
}

const desktopFor = (options: Options): Desktop => ({
  showSettings(window) {
    const captures = join(options.dataDir, 'captures');
    void options.captures.stored().then((stored) => tellTools(window, 'settings', { captures, stored }));
  },
  showAbout: (window) => tellTools(window, 'about', aboutParley(app.getVersion(), process.versions)),
  showDeleteData(window) {
    const { dataDir: folder, builtInPlatform } = options;
    tellTools(window, 'deleteData', { folder, isPlatformBuiltIn: builtInPlatform !== undefined });
  },
  deleteData(choice) {
    void deleteData({ ...options, ...pagesData }, choice).then((words) => tellAll('dataDeleted', words));
  },
  copyDiagnostics(window) {
    void copyDiagnostics(options).then((isCopied) => tellTools(window, 'diagnosticsCopied', isCopied));
  },
});
