import { windowOf } from '#shared/store/openWindows.ts';
import type { Action } from '@reduxjs/toolkit';
import type { WebContents } from 'electron';
import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import {
  assistantSaved,
  assistantSaveFailed,
  assistantTested,
  assistantTestFailed,
  diagnosticsCopied,
  diagnosticsCopyFailed,
} from '#shared/actions/mainActions.ts';
import {
  assistantModelRequested,
  assistantSaveRequested,
  assistantTestCancelRequested,
  assistantTestRequested,
  diagnosticsCopyRequested,
  dialogRequested,
} from '#shared/actions/userActions.ts';
import type { Clock } from '#shared/clock.ts';
import { ASSISTANT_RATE } from '#shared/limits.ts';
import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import type { Settings } from '#shared/settings.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import type { LogTail } from '../base/createLog.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import type { CaptureLimiter } from '../capture/limitCaptures.ts';
import type { Recorder } from '../capture/recorder.ts';
import { aboutParley, copyDiagnostics } from '../desktop/copyDiagnostics.ts';
import type { Messenger } from '../session/messenger.ts';
import { builtInPlatform } from '../settings/builtInPlatform.ts';
import type { PersistedPreferences } from '../settings/persistPreferences.ts';
import type { Assistant } from '../settings/setUpAssistant.ts';
import { type Listeners, type MainStore, privateOf } from '../store/mainStore.ts';
import {
  answerAction,
  messengerWindows,
  sendTools,
  sendToolsToAll,
  sourceWindow,
} from '../window/messengerWindows.ts';
import { showWindow, type WindowOptions } from '../window/openWindow.ts';
import type { WindowBounds } from '../window/windowBounds.ts';

/** What the effects of user actions need. */
export interface ActionParts {
  readonly store: MainStore;
  readonly messenger: Messenger;
  readonly recorder: Pick<Recorder, 'save' | 'idle' | 'forget'>;
  readonly preferences: Pick<PersistedPreferences, 'forget'>;
  readonly captures: CaptureLimiter;
  /** `undefined` while another platform is in use: then no window shows its settings. */
  readonly assistant: Assistant | undefined;
  readonly audio: Audio;
  readonly windowBounds: Pick<WindowBounds, 'forget'>;
  readonly windowOptions: WindowOptions;
  /** Opens the inspector, or brings it to the front. */
  readonly inspect: () => void;
  readonly dataDir: string;
  readonly settings: Settings;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tail: LogTail;
}

/**
 * Shows dialogs and copies the diagnostics, when it is requested. The answer goes to the window that is the source,
 * else to the one in front.
 */
export function performDialogActions(options: ActionParts): void {
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
    async models(window: WebContents) {
      if (options.assistant !== undefined) sendTools(window, 'models');
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

const TOO_OFTEN: AssistantResult = {
  kind: 'failed',
  field: null,
  message: 'This was requested too often: wait a few seconds, then try again.',
};

interface AssistantParts extends Pick<ActionParts, 'listeners' | 'store' | 'clock'> {
  readonly assistant: Pick<Assistant, 'test' | 'save' | 'models' | 'chooseModel' | 'inUse'> | undefined;
}

/**
 * Tests and stores the settings of the assistant, lists the models for their menu and changes the model, when it is requested. The answer goes to the window that is
 * the source; all windows are told who answers. A window has one test or list at a time: another one, and a dialog that opens, end it without an answer. Tests and saves are limited (`ASSISTANT_RATE`), because a test
 * says whether a server answers at any address, and a save writes a file.
 */
export function performAssistantActions({ assistant, ...parts }: AssistantParts): void {
  if (assistant === undefined) return;
  const showInUse = () => sendToolsToAll('assistantInUse', assistant.inUse());
  performTests({ ...parts, assistant, showInUse });
  performSaves({ ...parts, assistant, showInUse });
}

interface InUseParts extends AssistantParts {
  readonly assistant: NonNullable<AssistantParts['assistant']>;
  /** Tells all windows who answers. */
  readonly showInUse: () => void;
}

function performTests({
  listeners: { startListening },
  store,
  assistant,
  clock,
  showInUse,
}: InUseParts): void {
  const bucket = createTokenBucket(ASSISTANT_RATE, clock);
  const tests = createTests();
  startListening({
    actionCreator: assistantTestRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      const test = tests.start(windowOf(action));
      const result = bucket.take(1) ? await assistant.test(change, test.signal) : TOO_OFTEN;
      store.dispatch(result.kind === 'tested' ? assistantTested() : assistantTestFailed());
      if (test.end()) answerAction(action, 'assistantResult', result);
    },
  });
  startListening({
    actionCreator: assistantTestCancelRequested,
    effect: (action) => tests.cancel(windowOf(action)),
  });
  startListening({
    actionCreator: dialogRequested,
    async effect(action) {
      if (action.payload.dialog !== 'models') return tests.drop(windowOf(action));
      const list = tests.start(windowOf(action));
      const result = bucket.take(1) ? await assistant.models(list.signal) : TOO_OFTEN;
      showInUse();
      if (list.end()) answerAction(action, 'assistantResult', result);
    },
  });
}

function performSaves({
  listeners: { startListening },
  store,
  assistant,
  clock,
  showInUse,
}: InUseParts): void {
  const bucket = createTokenBucket(ASSISTANT_RATE, clock);
  /** Requests the name of the model, where none is set. */
  const findModel = async () => {
    const { isDemonstration, model } = assistant.inUse();
    if (isDemonstration || model !== null) return;
    await assistant.models(new AbortController().signal);
    showInUse();
  };
  const answer = (action: Action, result: AssistantResult) => {
    store.dispatch(result.kind === 'failed' ? assistantSaveFailed() : assistantSaved());
    // First: the focus returns to the button with the model's name.
    showInUse();
    answerAction(action, 'assistantResult', result);
  };
  void findModel();
  startListening({
    actionCreator: assistantSaveRequested,
    async effect(action) {
      const change = privateOf(action);
      if (change === undefined) return;
      answer(action, bucket.take(1) ? await assistant.save(change) : TOO_OFTEN);
      await findModel();
    },
  });
  startListening({
    actionCreator: assistantModelRequested,
    async effect(action) {
      const model = privateOf(action);
      if (model !== undefined)
        answer(action, bucket.take(1) ? await assistant.chooseModel(model) : TOO_OFTEN);
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
