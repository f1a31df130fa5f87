import {
  BrowserWindow,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  type WebContents,
  ipcMain,
} from 'electron';
import type { z } from 'zod';
import { type Invoked, MESSAGE_LISTENED, type Sent } from '#shared/ipc/channels.ts';
import type { ToolsSent } from '#shared/ipc/tools.ts';
import { invokedValidators, sentValidators, toolsValidators } from '#shared/ipc/validators.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { statusCode } from '#shared/store/connection.ts';
import { updateApplied } from '#shared/store/updates.ts';
import { preferencesChanged } from '#shared/store/preferences.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import { audioWindow } from '../audio/audioWindow.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Desktop } from '../desktop/setUpDesktop.ts';
import type { Listeners } from '../store/listeners.ts';
import type { Logger } from '#log/createLogger.ts';
import type { Messenger } from '../session/messenger.ts';
import type { MainStore } from '../store/mainStore.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { sendToWindows, sendTools } from '../window/sendToWindows.ts';
import { isFromMessengerWindow, messengerWindows } from '../window/messengerWindows.ts';

interface Options {
  readonly messenger: Messenger;
  readonly recorder: Recorder;
  /** Opens the inspector, or brings it to the front. */
  readonly inspect: () => void;
  readonly audio: Audio;
  readonly desktop: Desktop;
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly log: Logger;
}

/** Sets up the channels of spec §6.3 in both directions. The messenger sends `account` itself, because its order matters. */
export function setUpChannels({
  messenger,
  recorder,
  inspect,
  audio,
  desktop,
  store,
  listeners,
  log,
}: Options): void {
  const on = onWindowMessage(log);
  on('messenger', sentValidators.messenger, ({ sender }) => {
    const { conversation, snapshotFields } = store.getState();
    if (conversation === emptyConversation) return;
    const snapshot = { ...snapshotFields, ...toSnapshot(conversation), person: conversation.person ?? '' };
    attemptSend(log, 'message', () => sender.send('message', snapshot));
  });
  on('message', sentValidators.message, (_, outgoing) => messenger.send(outgoing));
  on('logout', sentValidators.logout, () => void messenger.signOut());
  on('nav', sentValidators.nav, ({ sender }, action) => {
    const window = BrowserWindow.fromWebContents(sender);
    if (action === 'close') window?.close();
    else window?.minimize();
  });
  on('reconnect', toolsValidators.reconnect, () => messenger.reconnect());
  on('tryAgain', toolsValidators.tryAgain, () => messenger.tryAgain());
  on('saveReceived', toolsValidators.saveReceived, ({ sender }) => {
    void messenger.saveReceived().then((session) => sendTools(sender, 'saved', session));
  });
  on('saveSession', toolsValidators.saveSession, ({ sender }) => {
    void recorder.save().then((session) => sendTools(sender, 'saved', session));
  });
  on('inspectSession', toolsValidators.inspectSession, inspect);
  on('setPreference', toolsValidators.setPreference, (_, change) => {
    store.dispatch(preferencesChanged(change));
  });
  setUpDesktopChannels(on, desktop);
  setUpVoiceChannels(on, audio);

  const answer = handleWindowRequest(log);
  answer('encode', invokedValidators.encode, (bytes) => Buffer.from(bytes).toString('base64'));
  answer('auth', invokedValidators.auth, (credentials) => messenger.signIn(credentials));

  sendUpdates(listeners, log);
  listeners.startListening({
    predicate: (_, now, before) => now.connection.status !== before.connection.status,
    effect: (_, { getState }) => sendToWindows('ws', statusCode(getState().connection)),
  });
}

/**
 * Sends each update on `message` to the windows whose page has listened to it. Parley's own page does not listen, and a
 * snapshot may be long.
 */
function sendUpdates(listeners: Listeners, log: Logger): void {
  const listening = new WeakSet<WebContents>();
  onWindowMessage(log)(MESSAGE_LISTENED, sentValidators.messenger, ({ sender }) => listening.add(sender));
  listeners.startListening({
    matcher: updateApplied.match,
    effect({ payload: { update } }) {
      if (update.kind === 'notification') return;
      for (const { webContents } of messengerWindows())
        if (listening.has(webContents))
          attemptSend(log, 'message', () => webContents.send('message', update.frame));
    },
  });
}

/** Sets up the channels for settings, diagnostics and the deletion of data. */
function setUpDesktopChannels(on: ReturnType<typeof onWindowMessage>, desktop: Desktop): void {
  const { openSettings, openAbout, copyDiagnostics, openDeleteData, deleteData } = toolsValidators;
  on('openSettings', openSettings, ({ sender }) => desktop.showSettings(sender));
  on('openAbout', openAbout, ({ sender }) => desktop.showAbout(sender));
  on('copyDiagnostics', copyDiagnostics, ({ sender }) => desktop.copyDiagnostics(sender));
  on('openDeleteData', openDeleteData, ({ sender }) => desktop.showDeleteData(sender));
  on('deleteData', deleteData, (_, choice) => desktop.deleteData(choice));
}

/** Sets up the channels for voice (spec §3.3). */
function setUpVoiceChannels(on: ReturnType<typeof onWindowMessage>, audio: Audio): void {
  const { toggleRecording, recordingFailed, play, stopPlayback, audioWritten, playbackFailed } =
    toolsValidators;
  on('toggleRecording', toggleRecording, ({ sender }) => audio.toggleRecording(audioWindow(sender)));
  on('recordingFailed', recordingFailed, ({ sender }, number) =>
    audio.recordingFailed(audioWindow(sender), number),
  );
  on('play', play, ({ sender }, place) => audio.play(audioWindow(sender), place));
  on('stopPlayback', stopPlayback, () => audio.stopPlayback());
  on('audioWritten', audioWritten, ({ sender }, number) => audio.audioWritten(audioWindow(sender), number));
  on('playbackFailed', playbackFailed, ({ sender }, number) =>
    audio.playbackFailed(audioWindow(sender), number),
  );
}

type AllSent = Sent & ToolsSent & { readonly [MESSAGE_LISTENED]: readonly [] };

/** Listens to one channel. Accepts messages from messenger windows with valid arguments only. */
const onWindowMessage =
  (log: Logger) =>
  <C extends keyof AllSent>(
    channel: C,
    validator: z.ZodType<AllSent[C]>,
    listener: (event: IpcMainEvent, ...args: AllSent[C]) => void,
  ) => {
    ipcMain.on(channel, (event, ...args: unknown[]) => {
      const checked = validator.safeParse(args);
      if (isFromMessengerWindow(event) && checked.success) listener(event, ...checked.data);
      else log.warn({ channel }, 'a message was dropped: it is not valid, or not from a window of Parley');
    });
  };

const handleWindowRequest =
  (log: Logger) =>
  <C extends keyof Invoked>(
    channel: C,
    validator: z.ZodType<Invoked[C]['args']>,
    answer: (...args: Invoked[C]['args']) => Invoked[C]['answer'] | Promise<Invoked[C]['answer']>,
  ) => {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
      const checked = validator.safeParse(args);
      if (isFromMessengerWindow(event) && checked.success) return answer(...checked.data);
      log.warn({ channel }, 'a request was refused: it is not valid, or not from a window of Parley');
      throw new Error(`${channel}: refused`);
    });
  };
