import { join } from 'node:path';
import type { Action } from '@reduxjs/toolkit';
import type { WebContents } from 'electron';
import { diagnosticsCopyRequested, dialogRequested } from '#shared/actions/userActions.ts';
import { diagnosticsCopied, diagnosticsCopyFailed } from '#shared/actions/mainActions.ts';
import type { Settings } from '#shared/settings.ts';
import type { Assistant } from '../assistant/createAssistant.ts';
import type { LogTail } from '../base/logTail.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import { builtInPlatform } from '../data/builtInPlatform.ts';
import { PARLEY_VERSION } from '../base/parleyVersion.ts';
import { aboutParley } from '../desktop/about.ts';
import { copyDiagnostics } from '../desktop/copyDiagnostics.ts';
import type { Logger } from '#node/createLogger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { messengerWindows } from '../window/messengerWindows.ts';
import { sendTools } from '../window/sendToWindows.ts';
import { type WindowOptions, showWindow } from '../window/windows.ts';
import { sourceWindow } from './sourceWindow.ts';

interface Options {
  /** `undefined` while another platform is in use. */
  readonly assistant: Pick<Assistant, 'summary' | 'dialogData'> | undefined;
  readonly dataDir: string;
  readonly settings: Settings;
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly captures: CaptureLimiter;
  readonly tail: LogTail;
  readonly log: Logger;
  readonly windowOptions: WindowOptions;
}

/**
 * Shows dialogs and copies the diagnostics, when it is requested. The answer goes to the window that is the source,
 * else to the one in front.
 */
export function performDialogActions(options: Options): void {
  const { store, windowOptions } = options;
  const { startListening } = options.listeners;
  const platform = builtInPlatform(options.settings, process.env);
  const recipient = (action: Action) => (sourceWindow(action) ?? frontWindow(windowOptions)).webContents;
  const show = {
    async settings(window: WebContents) {
      const captures = join(options.dataDir, 'captures');
      const assistant = options.assistant?.summary();
      const stored = await options.captures.stored();
      sendTools(window, 'settings', { captures, stored, ...(assistant !== undefined && { assistant }) });
    },
    async assistant(window: WebContents) {
      if (options.assistant !== undefined) sendTools(window, 'assistant', options.assistant.dialogData());
    },
    about: async (window: WebContents) =>
      sendTools(window, 'about', aboutParley(PARLEY_VERSION, process.versions)),
    async deleteData(window: WebContents) {
      const { dataDir: folder } = options;
      sendTools(window, 'deleteData', { folder, isPlatformBuiltIn: platform !== undefined });
    },
    export: async (window: WebContents) => sendTools(window, 'export'),
    print: async (window: WebContents) => sendTools(window, 'print'),
    find: async (window: WebContents) => sendTools(window, 'find'),
  };
  startListening({
    actionCreator: dialogRequested,
    effect: (action) => show[action.payload.dialog](recipient(action)),
  });
  startListening({
    actionCreator: diagnosticsCopyRequested,
    async effect(action) {
      const window = recipient(action);
      const isCopied = await copyDiagnostics(options);
      store.dispatch(isCopied ? diagnosticsCopied() : diagnosticsCopyFailed());
      sendTools(window, 'diagnosticsCopied', isCopied);
    },
  });
}

const frontWindow = (options: WindowOptions) =>
  messengerWindows().find((window) => window.isFocused()) ?? showWindow(options);
