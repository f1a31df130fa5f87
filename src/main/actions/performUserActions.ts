import type { Action } from '@reduxjs/toolkit';
import { app, session } from 'electron';
import { stat } from 'node:fs/promises';
import {
  dataDeleted,
  deletionAnnounced,
  inspectorShown,
  sessionSaved,
  sessionSaveFailed,
  startSaved,
  startSaveFailed,
} from '#shared/actions/mainActions.ts';
import {
  audioWritten,
  connectionRequested,
  dataDeletionRequested,
  encodingRequested,
  inspectorRequested,
  logOutRequested,
  messageRequested,
  playbackFailed,
  playbackRequested,
  playbackStopRequested,
  quitRequested,
  recordingFailed,
  recordingToggleRequested,
  sessionSaveRequested,
  signInRequested,
  snapshotRequested,
  startRetryRequested,
  startSaveRequested,
  windowCloseRequested,
  windowMinimizeRequested,
  windowOpenRequested,
  windowShowRequested,
  windowZoomRequested,
} from '#shared/actions/userActions.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { SavedSession } from '#shared/ipc/channels.ts';
import { SAVE_BYTES_RATE, SAVE_RATE, SNAPSHOT_RATE } from '#shared/limits.ts';
import { attemptSend } from '../base/handleUncaughtErrors.ts';
import { createPacedTasks, createTokenBucket, perObject } from '../base/tokenBucket.ts';
import { builtInPlatform } from '../settings/builtInPlatform.ts';
import { deleteData } from '../settings/deleteData.ts';
import { privateOf } from '../store/mainStore.ts';
import {
  answerAction,
  audioWindow,
  type AudioWindow,
  audioWindows,
  excludedWindows,
  sendToolsToAll,
  sourceWindow,
} from '../window/messengerWindows.ts';
import { openWindow, showWindow } from '../window/openWindow.ts';
import { type ActionParts, performAssistantActions, performDialogActions } from './performDialogActions.ts';

/**
 * Starts the listeners that perform the user actions. An entry point (a channel, a menu, the tray, a shortcut) only dispatches the user action; the listener
 * performs its effect and dispatches the result as main's action. `persistPreferences` performs `preferences/changed`.
 */
export function performUserActions(parts: ActionParts): void {
  performAccountActions(parts);
  performMessageActions(parts);
  performAudioActions({ ...parts, windowFor: audioWindowFor });
  performWindowActions(parts);
  performSaveActions(parts);
  performDialogActions(parts);
  performAssistantActions(parts);
  performDeletionActions(parts);
}

function audioWindowFor(action: Action) {
  const source = sourceWindow(action);
  return source === undefined ? audioWindows()[0] : audioWindow(source.webContents);
}

/** Signs in and out, reconnects, and launches the session after failed starts, when these are requested. The messenger dispatches main's actions. */
export function performAccountActions({
  listeners: { startListening },
  messenger,
}: Pick<ActionParts, 'listeners' | 'messenger'>): void {
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

/** Sends messages, and answers the requests of pages for the snapshot and for base64 (spec §6.3). The session dispatches main's actions. */
function performMessageActions({ listeners: { startListening }, messenger, clock, log }: ActionParts): void {
  // A snapshot that waits is the newest one when it is sent, so one is enough.
  const snapshotsOf = perObject(() => createPacedTasks({ rate: SNAPSHOT_RATE, waiting: 1, clock }));
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
        const person = conversation.person ?? '';
        const snapshot = { ...snapshotFields, ...toSnapshot(conversation), person };
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

interface AudioParts extends Pick<ActionParts, 'listeners' | 'audio'> {
  /** Returns the window that is the source of a user action, else the focused one. */
  readonly windowFor: (action: Action) => AudioWindow | undefined;
}

/** Records and plays when it is requested (spec §3.3). The audio module dispatches main's actions. */
export function performAudioActions({ listeners: { startListening }, audio, windowFor }: AudioParts): void {
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

/** The new zoom level after each request: the steps of Electron's roles `zoomIn` and `zoomOut`. A level is a power of 1.2; Electron limits it. */
const ZOOM = {
  in: (level: number) => level + 0.5,
  out: (level: number) => level - 0.5,
  reset: () => 0,
} as const;

/** Opens, shows, minimizes, zooms and closes windows, and quits, when it is requested. `followWindow` dispatches main's actions. */
function performWindowActions({
  listeners: { startListening },
  store,
  windowOptions,
  inspect,
}: ActionParts): void {
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
  startListening({ actionCreator: quitRequested, effect: () => app.quit() });
}

/** Deletes the person's data, when it is requested. A second deletion follows the first one. No sign-in is accepted meanwhile. */
function performDeletionActions(parts: ActionParts): void {
  const { listeners, messenger, recorder, store, settings } = parts;
  const platform = builtInPlatform(settings, process.env);
  const perform = async (choice: { readonly platformFile: boolean }) => {
    const text = await messenger.refuseSignInsDuring(() =>
      deleteData({ ...parts, ...PAGES, builtInPlatform: platform }, choice),
    );
    recorder.forget();
    store.dispatch(dataDeleted());
    store.dispatch(deletionAnnounced({ text }));
    if (parts.assistant !== undefined) sendToolsToAll('assistantInUse', parts.assistant.inUse());
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

const TOO_OFTEN: SavedSession = { error: 'Sessions were saved too often: wait a minute, then save again.' };

/**
 * Saves the session, or what a failed start has received, when it is requested, within `SAVE_RATE` and `SAVE_BYTES_RATE`. One is saved at a time: the size of a
 * file is known when it is written. The answer goes to the window that is the source, else to all.
 */
function performSaveActions({
  listeners: { startListening },
  store,
  recorder,
  messenger,
  clock,
}: ActionParts): void {
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
const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
