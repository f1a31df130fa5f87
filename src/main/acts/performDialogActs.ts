import { join } from 'node:path';
import type { Action } from '@reduxjs/toolkit';
import { type WebContents, app, session } from 'electron';
import { dataDeletionRequested, diagnosticsCopyRequested, dialogRequested } from '#shared/acts/acts.ts';
import { dataDeleted, diagnosticsCopied, diagnosticsCopyFailed } from '#shared/acts/facts.ts';
import type { DeletionChoice } from '#shared/ipc/tools.ts';
import type { Settings } from '#shared/settings.ts';
import type { LogTail } from '../base/logTail.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import type { Recorder } from '../capture/recorder.ts';
import { builtInPlatform } from '../data/builtInPlatform.ts';
import { deleteData } from '../data/deleteData.ts';
import { aboutParley } from '../desktop/about.ts';
import { copyDiagnostics } from '../desktop/copyDiagnostics.ts';
import type { Logger } from '#log/createLogger.ts';
import type { PersistedPreferences } from '../preferences/persistPreferences.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import type { DeletionNotifier } from '../window/deletionNotifier.ts';
import { excludedWindows, messengerWindows } from '../window/messengerWindows.ts';
import type { WindowBounds } from '../window/windowBounds.ts';
import { sendTools, sendToolsToAll } from '../window/sendToWindows.ts';
import { type WindowOptions, showWindow } from '../window/windows.ts';
import { sourceWindow } from './sourceWindow.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'signOut' | 'refuseSignInsDuring'>;
  readonly recorder: Pick<Recorder, 'idle' | 'forget'>;
  readonly captures: CaptureLimiter;
  readonly preferences: PersistedPreferences;
  readonly windowBounds: Pick<WindowBounds, 'forget'>;
  readonly deletion: Pick<DeletionNotifier, 'notify'>;
  readonly tail: LogTail;
  readonly log: Logger;
  readonly windowOptions: WindowOptions;
}

/**
 * Shows dialogs, copies the diagnostics and deletes the person's data, when it is requested. The answer goes to the window that is the source,
 * else to the one in front.
 */
export function performDialogActs(options: Options): void {
  const { store, windowOptions } = options;
  const { startListening } = options.listeners;
  const platform = builtInPlatform(options.settings, process.env);
  const recipient = (act: Action) => (sourceWindow(act) ?? frontWindow(windowOptions)).webContents;
  const show = {
    async settings(window: WebContents) {
      const captures = join(options.dataDir, 'captures');
      sendTools(window, 'settings', { captures, stored: await options.captures.stored() });
    },
    about: async (window: WebContents) =>
      sendTools(window, 'about', aboutParley(app.getVersion(), process.versions)),
    async deleteData(window: WebContents) {
      const { dataDir: folder } = options;
      sendTools(window, 'deleteData', { folder, isPlatformBuiltIn: platform !== undefined });
    },
  };
  startListening({
    actionCreator: dialogRequested,
    effect: (act) => show[act.payload.dialog](recipient(act)),
  });
  startListening({
    actionCreator: diagnosticsCopyRequested,
    async effect(act) {
      const window = recipient(act);
      const isCopied = await copyDiagnostics(options);
      store.dispatch(isCopied ? diagnosticsCopied() : diagnosticsCopyFailed());
      sendTools(window, 'diagnosticsCopied', isCopied);
    },
  });
  const deletePersonsData = async (choice: DeletionChoice) => {
    const text = await options.messenger.refuseSignInsDuring(() =>
      deleteData({ ...options, ...PAGES, builtInPlatform: platform }, choice),
    );
    options.recorder.forget();
    store.dispatch(dataDeleted());
    options.deletion.notify(text);
    // The recorder has forgotten it.
    sendToolsToAll('reportState');
  };
  /** The last deletion: the next one waits for it. */
  let deletion: Promise<void> = Promise.resolve();
  startListening({
    actionCreator: dataDeletionRequested,
    async effect({ payload }) {
      deletion = deletion.catch(() => {}).then(() => deletePersonsData(payload));
      await deletion;
    },
  });
}

const frontWindow = (options: WindowOptions) =>
  messengerWindows().find((window) => window.isFocused()) ?? showWindow(options);

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
