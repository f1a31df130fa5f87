import type { Action } from '@reduxjs/toolkit';
import { type IpcMainEvent, type IpcMainInvokeEvent, type WebContents, ipcMain } from 'electron';
import type { z } from 'zod';
import {
  assistantSaveRequested,
  assistantTestCancelRequested,
  assistantTestRequested,
  connectionRequested,
  dataDeletionRequested,
  diagnosticsCopyRequested,
  dialogRequested,
  encodingRequested,
  inspectorRequested,
  logOutRequested,
  messageRequested,
  playbackRequested,
  playbackStopRequested,
  preferencesChanged,
  recordingToggleRequested,
  sessionSaveRequested,
  signInRequested,
  snapshotRequested,
  startRetryRequested,
  startSaveRequested,
  windowCloseRequested,
  windowMinimizeRequested,
  windowZoomRequested,
} from '#shared/actions/userActions.ts';
import { type Invoked, MESSAGE_LISTENED, type Sent } from '#shared/ipc/channels.ts';
import type { ToolsSent } from '#shared/ipc/tools.ts';
import { invokedValidators, sentValidators, toolsValidators } from '#shared/ipc/validators.ts';
import { ENCODE_RATE, ENCODE_REQUESTS } from '#shared/limits.ts';
import { statusCode } from '#shared/store/connection.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Logger } from '#log/createLogger.ts';
import { markAct } from '#shared/window/windows.ts';
import { audioWindow } from '../audio/audioWindow.ts';
import type { Audio } from '../audio/setUpAudio.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { type PacedTasks, createPacedTasks, perObject } from '../base/pacedTasks.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { messengerWindows } from '../window/messengerWindows.ts';
import { sendToWindows } from '../window/sendToWindows.ts';
import { windowNumber } from '../window/windowNumbers.ts';
import { type MessageFilter, createMessageFilter } from './messageFilter.ts';
import { receiveReports } from './receiveReports.ts';

interface Options {
  readonly audio: Pick<Audio, 'recordingFailed' | 'audioWritten' | 'playbackFailed'>;
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Sets up the channels of spec §6.3 in both directions, and those that Parley adds. A channel from a window only dispatches an act, or passes
 * on what a device reports. The messenger sends `account` itself, because its order matters.
 */
export function setUpChannels({ audio, store, listeners, clock, log }: Options): void {
  const isAdmitted = createMessageFilter(clock, log);
  const on = onWindowMessage(isAdmitted, log);
  const act: ActOf = (action, { sender }) => void store.dispatch(markAct(action, windowNumber(sender)));
  on('messenger', sentValidators.messenger, (event) => act(snapshotRequested(), event));
  on('message', sentValidators.message, (event, outgoing) => act(messageRequested(outgoing), event));
  on('logout', sentValidators.logout, (event) => act(logOutRequested(), event));
  on('nav', sentValidators.nav, (event, action) =>
    act(action === 'close' ? windowCloseRequested() : windowMinimizeRequested(), event),
  );
  setUpSessionChannels(on, act);
  setUpDesktopChannels(on, act);
  setUpAssistantChannels(on, act);
  setUpZoomChannels(on, act);
  setUpVoiceChannels(on, { act, audio });
  receiveReports({ store, listeners, clock, log });

  const handle = handleWindowRequest(isAdmitted, log);
  const encodingsOf = perObject<PacedTasks>(() =>
    createPacedTasks({ rate: ENCODE_RATE, waiting: ENCODE_REQUESTS, clock }),
  );
  handle('encode', invokedValidators.encode, (event, bytes) => {
    return new Promise((answer, refuse) => {
      const isAccepted = encodingsOf(event.sender).run(() => {
        act(encodingRequested({ bytes, answer }), event);
        return bytes.byteLength;
      });
      if (!isAccepted) refuse(new Error('encode: too many requests'));
    });
  });
  handle('auth', invokedValidators.auth, (event, credentials) => {
    return new Promise((answer) => act(signInRequested({ credentials, answer }), event));
  });
  sendUpdates(on, listeners, log);
  listeners.startListening({
    predicate: (_, now, before) => now.connection.status !== before.connection.status,
    effect: (_, { getState }) => sendToWindows('ws', statusCode(getState().connection)),
  });
}

/**
 * Sends each update on `message` to the windows whose page has listened to it. Parley's own page does not listen, and a
 * snapshot may be long.
 */
function sendUpdates(on: OnMessage, listeners: Listeners, log: Logger): void {
  const listening = new WeakSet<WebContents>();
  on(MESSAGE_LISTENED, sentValidators.messenger, ({ sender }) => listening.add(sender));
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

type OnMessage = ReturnType<typeof onWindowMessage>;
/** Dispatches the act of the window that sent a message. */
type ActOf = (act: Action, event: IpcMainEvent | IpcMainInvokeEvent) => void;

/** Sets up the channels for the session, and for preferences. */
function setUpSessionChannels(on: OnMessage, act: ActOf): void {
  const { reconnect, tryAgain, saveReceived, saveSession, inspectSession, setPreference } = toolsValidators;
  on('reconnect', reconnect, (event) => act(connectionRequested(), event));
  on('tryAgain', tryAgain, (event) => act(startRetryRequested(), event));
  on('saveReceived', saveReceived, (event) => act(startSaveRequested(), event));
  on('saveSession', saveSession, (event) => act(sessionSaveRequested(), event));
  on('inspectSession', inspectSession, (event) => act(inspectorRequested(), event));
  on('setPreference', setPreference, (event, change) => act(preferencesChanged(change), event));
}

/** Sets up the channels for dialogs, diagnostics and the deletion of data. */
function setUpDesktopChannels(on: OnMessage, act: ActOf): void {
  const { openSettings, openAbout, copyDiagnostics, openDeleteData, deleteData, openExport, openPrint } =
    toolsValidators;
  on('openSettings', openSettings, (event) => act(dialogRequested({ dialog: 'settings' }), event));
  on('openAbout', openAbout, (event) => act(dialogRequested({ dialog: 'about' }), event));
  on('copyDiagnostics', copyDiagnostics, (event) => act(diagnosticsCopyRequested(), event));
  on('openDeleteData', openDeleteData, (event) => act(dialogRequested({ dialog: 'deleteData' }), event));
  on('openExport', openExport, (event) => act(dialogRequested({ dialog: 'export' }), event));
  on('openPrint', openPrint, (event) => act(dialogRequested({ dialog: 'print' }), event));
  on('deleteData', deleteData, (event, choice) => act(dataDeletionRequested(choice), event));
}

/** Sets up the channels for the size in which a page is shown. */
function setUpZoomChannels(on: OnMessage, act: ActOf): void {
  const { zoomIn, zoomOut, resetZoom } = toolsValidators;
  on('zoomIn', zoomIn, (event) => act(windowZoomRequested({ zoom: 'in' }), event));
  on('zoomOut', zoomOut, (event) => act(windowZoomRequested({ zoom: 'out' }), event));
  on('resetZoom', resetZoom, (event) => act(windowZoomRequested({ zoom: 'reset' }), event));
}

/** Sets up the channels for the settings of the assistant. */
function setUpAssistantChannels(on: OnMessage, act: ActOf): void {
  const { openAssistant, testAssistant, cancelAssistantTest, saveAssistant } = toolsValidators;
  on('openAssistant', openAssistant, (event) => act(dialogRequested({ dialog: 'assistant' }), event));
  on('testAssistant', testAssistant, (event, change) => act(assistantTestRequested(change), event));
  on('cancelAssistantTest', cancelAssistantTest, (event) => act(assistantTestCancelRequested(), event));
  on('saveAssistant', saveAssistant, (event, change) => act(assistantSaveRequested(change), event));
}

/** Sets up the channels for voice (spec §3.3): acts, and reports about the devices of the window. */
function setUpVoiceChannels(
  on: OnMessage,
  { act, audio }: { readonly act: ActOf; readonly audio: Options['audio'] },
): void {
  const { toggleRecording, recordingFailed, play, stopPlayback, audioWritten, playbackFailed } =
    toolsValidators;
  on('toggleRecording', toggleRecording, (event) => act(recordingToggleRequested(), event));
  on('play', play, (event, place) => act(playbackRequested(place), event));
  on('stopPlayback', stopPlayback, (event) => act(playbackStopRequested(), event));
  on('recordingFailed', recordingFailed, ({ sender }, number) =>
    audio.recordingFailed(audioWindow(sender), number),
  );
  on('audioWritten', audioWritten, ({ sender }, number) => audio.audioWritten(audioWindow(sender), number));
  on('playbackFailed', playbackFailed, ({ sender }, number) =>
    audio.playbackFailed(audioWindow(sender), number),
  );
}

type AllSent = Sent & ToolsSent & { readonly [MESSAGE_LISTENED]: readonly [] };

/** Listens to one channel. Accepts messages from messenger windows with valid arguments only. */
const onWindowMessage =
  (isAdmitted: MessageFilter, log: Logger) =>
  <C extends keyof AllSent>(
    channel: C,
    validator: z.ZodType<AllSent[C]>,
    listener: (event: IpcMainEvent, ...args: AllSent[C]) => void,
  ) => {
    ipcMain.on(channel, (event, ...args: unknown[]) => {
      const checked = isAdmitted(event, args) ? validator.safeParse(args).data : undefined;
      if (checked !== undefined) listener(event, ...checked);
      else log.warn({ channel }, 'a message was dropped: it is not valid, or not from a window of Parley');
    });
  };

const handleWindowRequest =
  (isAdmitted: MessageFilter, log: Logger) =>
  <C extends keyof Invoked>(
    channel: C,
    validator: z.ZodType<Invoked[C]['args']>,
    listener: (event: IpcMainInvokeEvent, ...args: Invoked[C]['args']) => Promise<Invoked[C]['answer']>,
  ) => {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...args: unknown[]) => {
      const checked = isAdmitted(event, args) ? validator.safeParse(args).data : undefined;
      if (checked !== undefined) return listener(event, ...checked);
      log.warn({ channel }, 'a request was refused: it is not valid, or not from a window of Parley');
      throw new Error(`${channel}: refused`);
    });
  };
