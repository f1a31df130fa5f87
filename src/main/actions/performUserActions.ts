import type { SavedSession } from '#shared/ipc/channels.ts';
import type { Clock } from '#shared/clock.ts';
import type { Action } from '@reduxjs/toolkit';
import { app, session } from 'electron';
import { stat } from 'node:fs/promises';
import type { Logger } from '#node/createLogger.ts';
import {
  inspectorShown,
  dataDeleted,
  deletionAnnounced,
  sessionSaveFailed,
  sessionSaved,
  startSaveFailed,
  startSaved,
} from '#shared/actions/mainActions.ts';
import {
  connectionRequested,
  logOutRequested,
  signInRequested,
  startRetryRequested,
  encodingRequested,
  messageRequested,
  snapshotRequested,
  audioWritten,
  playbackFailed,
  playbackRequested,
  playbackStopRequested,
  recordingFailed,
  recordingToggleRequested,
  inspectorRequested,
  quitRequested,
  windowCloseRequested,
  windowMinimizeRequested,
  windowOpenRequested,
  windowShowRequested,
  windowZoomRequested,
  dataDeletionRequested,
  sessionSaveRequested,
  startSaveRequested,
} from '#shared/actions/userActions.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { SNAPSHOT_RATE, SAVE_BYTES_RATE, SAVE_RATE } from '#shared/limits.ts';
import type { Settings } from '#shared/settings.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import { attemptSend } from '../base/handleUncaughtErrors.ts';
import { type PacedTasks, createPacedTasks, perObject, createTokenBucket } from '../base/tokenBucket.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import { builtInPlatform } from '../settings/builtInPlatform.ts';
import { deleteData } from '../settings/deleteData.ts';
import type { Assistant } from '../settings/setUpAssistant.ts';
import { type Listeners, privateOf, type MainStore } from '../store/mainStore.ts';
import {
  audioWindow,
  audioWindows,
  sourceWindow,
  type AudioWindow,
  excludedWindows,
  sendToolsToAll,
  answerAction,
} from '../window/messengerWindows.ts';
import { type WindowOptions, openWindow, showWindow } from '../window/openWindow.ts';
import { performAssistantActions, performDialogActions } from './performDialogActions.ts';

type Options = Parameters<typeof performDialogActions>[0] &
  Parameters<typeof performDeletionActions>[0] & {
    /** `undefined` while another platform is in use. */
    readonly assistant: Assistant | undefined;
    readonly messenger: Messenger;
    readonly recorder: Pick<Recorder, 'save'>;
    readonly audio: Audio;
    readonly clock: Clock;
    /** Opens the inspector, or brings it to the front. */
    readonly inspect: () => void;
  };

/**
 * Starts the listeners that perform the user actions. An entry point (a channel, a menu, the tray, a shortcut) only dispatches the user action; the listener
 * performs its effect and dispatches the result as main's action. `persistPreferences` performs `preferences/changed`.
 */
export function performUserActions(options: Options): void {
  performAccountActions(options);
  performMessageActions(options);
  performAudioActions({ ...options, windowFor: audioWindowFor });
  performWindowActions({ ...options, quit: () => app.quit() });
  performSaveActions(options);
  performDialogActions(options);
  performAssistantActions(options);
  performDeletionActions(options);
}

function audioWindowFor(action: Action) {
  const source = sourceWindow(action);
  return source === undefined ? audioWindows()[0] : audioWindow(source.webContents);
}

interface PerformAccountActionsOptions {
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'signIn' | 'signOut' | 'reconnect' | 'tryAgain'>;
}

/** Signs in and out, reconnects, and launches the session after failed starts, when these are requested. The messenger dispatches main's actions. */
export function performAccountActions({
  listeners: { startListening },
  messenger,
}: PerformAccountActionsOptions): void {
  startListening({
    actionCreator: signInRequested,
    async effect(action) {
      const request = privateOf(action);
      if (request === undefined) return;
      const error = messenger.signIn(request.credentials);
      request.answer(error);
      await error;
    },
  });
  startListening({ actionCreator: logOutRequested, effect: () => messenger.signOut() });
  startListening({ actionCreator: connectionRequested, effect: () => messenger.reconnect() });
  startListening({ actionCreator: startRetryRequested, effect: () => messenger.tryAgain() });
}

interface PerformMessageActionsOptions {
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'send'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends messages, and answers the requests of pages for the snapshot and for base64 (spec §6.3). The session dispatches main's actions. */
export function performMessageActions({
  listeners: { startListening },
  messenger,
  clock,
  log,
}: PerformMessageActionsOptions): void {
  // A snapshot that waits is the newest one when it is sent, so one is enough.
  const snapshotsOf = perObject<PacedTasks>(() =>
    createPacedTasks({ rate: SNAPSHOT_RATE, waiting: 1, clock }),
  );
  startListening({
    actionCreator: messageRequested,
    effect(action) {
      const outgoing = privateOf(action);
      if (outgoing !== undefined) messenger.send(outgoing);
    },
  });
  startListening({
    actionCreator: snapshotRequested,
    effect(action, { getState }) {
      const page = sourceWindow(action)?.webContents;
      if (page === undefined || getState().conversation === emptyConversation) return;
      snapshotsOf(page).run(() => {
        const { conversation, snapshotFields } = getState();
        const snapshot = {
          ...snapshotFields,
          ...toSnapshot(conversation),
          person: conversation.person ?? '',
        };
        attemptSend(log, 'message', () => page.isDestroyed() || page.send('message', snapshot));
        return 1;
      });
    },
  });
  startListening({
    actionCreator: encodingRequested,
    effect(action) {
      const request = privateOf(action);
      request?.answer(Buffer.from(request.bytes).toString('base64'));
    },
  });
}

interface PerformAudioActionsOptions {
  readonly listeners: Listeners;
  readonly audio: Omit<Audio, 'loaded'>;
  /** Returns the window that is the source of a user action, else the focused one. */
  readonly windowFor: (action: Action) => AudioWindow | undefined;
}

/** Records and plays when it is requested (spec §3.3). The audio module dispatches main's actions. */
export function performAudioActions({
  listeners: { startListening },
  audio,
  windowFor,
}: PerformAudioActionsOptions): void {
  startListening({
    actionCreator: recordingToggleRequested,
    effect: (action) => audio.toggleRecording(windowFor(action)),
  });
  startListening({
    actionCreator: playbackRequested,
    effect: (action) => audio.play(windowFor(action), action.payload),
  });
  startListening({ actionCreator: playbackStopRequested, effect: () => audio.stopPlayback() });
  startListening({
    actionCreator: recordingFailed,
    effect: (action) => audio.recordingFailed(windowFor(action), action.payload.number),
  });
  startListening({
    actionCreator: audioWritten,
    effect: (action) => audio.audioWritten(windowFor(action), action.payload.number),
  });
  startListening({
    actionCreator: playbackFailed,
    effect: (action) => audio.playbackFailed(windowFor(action), action.payload.number),
  });
}

interface PerformWindowActionsOptions {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly windowOptions: WindowOptions;
  /** Opens the inspector, or brings it to the front. */
  readonly inspect: () => void;
  readonly quit: () => void;
}

/** The new zoom level after each request: the steps of Electron's roles `zoomIn` and `zoomOut`. A level is a power of 1.2; Electron limits it. */
const ZOOM = {
  in: (level: number) => level + 0.5,
  out: (level: number) => level - 0.5,
  reset: () => 0,
} as const;

/** Opens, shows, minimizes, zooms and closes windows, and quits, when it is requested. `followWindows` dispatches main's actions. */
export function performWindowActions(options: PerformWindowActionsOptions): void {
  const {
    listeners: { startListening },
    store,
    windowOptions,
    inspect,
    quit,
  } = options;
  startListening({ actionCreator: windowOpenRequested, effect: () => void openWindow(windowOptions) });
  startListening({ actionCreator: windowShowRequested, effect: () => void showWindow(windowOptions) });
  startListening({
    actionCreator: windowMinimizeRequested,
    effect: (action) => sourceWindow(action)?.minimize(),
  });
  startListening({ actionCreator: windowCloseRequested, effect: (action) => sourceWindow(action)?.close() });
  startListening({
    actionCreator: windowZoomRequested,
    effect(action) {
      const contents = sourceWindow(action)?.webContents;
      contents?.setZoomLevel(ZOOM[action.payload.zoom](contents.getZoomLevel()));
    },
  });
  startListening({
    actionCreator: inspectorRequested,
    effect() {
      inspect();
      store.dispatch(inspectorShown());
    },
  });
  startListening({ actionCreator: quitRequested, effect: quit });
}

type PerformDeletionActionsOptions = Omit<
  Parameters<typeof deleteData>[0],
  keyof typeof PAGES | 'builtInPlatform'
> & {
  readonly settings: Settings;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'signOut' | 'refuseSignInsDuring'>;
  readonly recorder: Pick<Recorder, 'idle' | 'forget'>;
};

/** Deletes the person's data, when it is requested. A second deletion follows the first one. No sign-in is accepted meanwhile. */
export function performDeletionActions(options: PerformDeletionActionsOptions): void {
  const { listeners, messenger, recorder, store } = options;
  const platform = builtInPlatform(options.settings, process.env);
  const perform = async (choice: { readonly platformFile: boolean }) => {
    const text = await messenger.refuseSignInsDuring(() =>
      deleteData({ ...options, ...PAGES, builtInPlatform: platform }, choice),
    );
    recorder.forget();
    store.dispatch(dataDeleted());
    store.dispatch(deletionAnnounced({ text }));
    // The recorder has forgotten it.
    sendToolsToAll('requestState');
  };
  let last: Promise<void> = Promise.resolve();
  listeners.startListening({
    actionCreator: dataDeletionRequested,
    async effect({ payload }) {
      last = last.catch(() => {}).then(() => perform(payload));
      await last;
    },
  });
}

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

interface PerformSaveActionsOptions {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly recorder: Pick<Recorder, 'save'>;
  readonly messenger: Pick<Messenger, 'saveReceived'>;
  readonly clock: Pick<Clock, 'now'>;
}

const TOO_OFTEN: SavedSession = { error: 'Sessions were saved too often: wait a minute, then save again.' };

/**
 * Saves the session, or what a failed start has received, when it is requested, within `SAVE_RATE` and `SAVE_BYTES_RATE`. One is saved at a time: the size of a
 * file is known when it is written. The answer goes to the window that is the source, else to all.
 */
export function performSaveActions({
  listeners: { startListening },
  store,
  recorder,
  messenger,
  clock,
}: PerformSaveActionsOptions): void {
  const bucket = createTokenBucket(SAVE_RATE, clock);
  const bytes = createTokenBucket(SAVE_BYTES_RATE, clock);
  let last: Promise<SavedSession> | undefined;
  const saveNext = async (save: () => Promise<SavedSession>) => {
    if (bytes.isEmpty()) return TOO_OFTEN;
    const saved = await save();
    if ('path' in saved) bytes.take(await sizeOf(saved.path));
    return saved;
  };
  const limited = (save: () => Promise<SavedSession>) => {
    if (!bucket.take(1)) return TOO_OFTEN;
    const saved = last?.then(() => saveNext(save)) ?? saveNext(save);
    last = saved;
    const end = () => {
      if (last === saved) last = undefined;
    };
    void saved.then(end, end);
    return saved;
  };
  startListening({
    actionCreator: sessionSaveRequested,
    async effect(action) {
      const saved = await limited(recorder.save);
      store.dispatch('path' in saved ? sessionSaved() : sessionSaveFailed());
      answerAction(action, 'saved', saved);
    },
  });
  startListening({
    actionCreator: startSaveRequested,
    async effect(action) {
      const saved = await limited(messenger.saveReceived);
      store.dispatch('path' in saved ? startSaved() : startSaveFailed());
      answerAction(action, 'saved', saved);
    },
  });
}

/** Resolves to the size of a file; to 0 when it was deleted meanwhile. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
