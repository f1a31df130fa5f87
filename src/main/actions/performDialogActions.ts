import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import type { Clock } from '#shared/clock.ts';
import type { Action } from '@reduxjs/toolkit';
import type { WebContents } from 'electron';
import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import {
  diagnosticsCopied,
  diagnosticsCopyFailed,
  assistantSaveFailed,
  assistantSaved,
  assistantTestFailed,
  assistantTested,
} from '#shared/actions/mainActions.ts';
import {
  diagnosticsCopyRequested,
  dialogRequested,
  assistantSaveRequested,
  assistantTestCancelRequested,
  assistantTestRequested,
} from '#shared/actions/userActions.ts';
import { ASSISTANT_RATE } from '#shared/limits.ts';
import type { Settings } from '#shared/settings.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import type { LogTail } from '../base/createLog.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import { aboutParley, copyDiagnostics } from '../desktop/copyDiagnostics.ts';
import { builtInPlatform } from '../settings/builtInPlatform.ts';
import type { Assistant } from '../settings/setUpAssistant.ts';
import { type Listeners, type MainStore, privateOf } from '../store/mainStore.ts';
import { messengerWindows, sendTools, sourceWindow, answerAction } from '../window/messengerWindows.ts';
import { type WindowOptions, showWindow } from '../window/openWindow.ts';

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
    about: async (window: WebContents) => sendTools(window, 'about', aboutParley(process.versions)),
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

interface PerformAssistantActionsOptions {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  /** `undefined` while another platform is in use: then no window shows its settings. */
  readonly assistant: Pick<Assistant, 'test' | 'save'> | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const TOO_OFTEN: AssistantResult = {
  kind: 'failed',
  field: null,
  message: 'This was requested too often: wait a few seconds, then try again.',
};

/**
 * Tests and stores the settings of the assistant, when it is requested. The answer goes to the window that is the source. A window has
 * one test at a time: another one, and the dialog that opens again, end it without an answer. Tests and saves are limited (`ASSISTANT_RATE`), because a test
 * says whether a server answers at any address, and a save writes a file.
 */
export function performAssistantActions({
  listeners,
  store,
  assistant,
  clock,
}: PerformAssistantActionsOptions): void {
  if (assistant === undefined) return;
  const testBucket = createTokenBucket(ASSISTANT_RATE, clock);
  const saveBucket = createTokenBucket(ASSISTANT_RATE, clock);
  const { startListening } = listeners;
  const tests = createTests();
  startListening({
    actionCreator: assistantTestRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      const test = tests.start(windowOf(action));
      const result = testBucket.take(1) ? await assistant.test(change, test.signal) : TOO_OFTEN;
      store.dispatch(result.kind === 'tested' ? assistantTested() : assistantTestFailed());
      if (test.end()) answerAction(action, 'assistantResult', result);
    },
  });
  startListening({
    actionCreator: assistantTestCancelRequested,
    effect: (action) => tests.cancel(windowOf(action)),
  });
  startListening({ actionCreator: dialogRequested, effect: (action) => tests.drop(windowOf(action)) });
  startListening({
    actionCreator: assistantSaveRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      const result = saveBucket.take(1) ? await assistant.save(change) : TOO_OFTEN;
      store.dispatch(result.kind === 'saved' ? assistantSaved() : assistantSaveFailed());
      answerAction(action, 'assistantResult', result);
    },
  });
}

/** Creates the tests that run, by the number of their window. */
function createTests() {
  const running = new Map<number | undefined, AbortController>();
  const cancel = (window: number | undefined) => running.get(window)?.abort();
  const drop = (window: number | undefined) => {
    cancel(window);
    running.delete(window);
  };
  return {
    cancel,
    /** Ends a window's test, which is not answered. */
    drop,
    start(window: number | undefined) {
      drop(window);
      const controller = new AbortController();
      running.set(window, controller);
      return {
        signal: controller.signal,
        /** Returns whether the test was the window's last one. */
        end: () => running.get(window) === controller && running.delete(window),
      };
    },
  };
}
