import { statusCode } from '#shared/store/sharedSlices.ts';
import type { Action } from '@reduxjs/toolkit';
import {
  type BrowserWindow,
  ipcMain,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  type WebContents,
} from 'electron';
import type { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import { accountChanged } from '#shared/actions/mainActions.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import {
  encodingRequested,
  logOutRequested,
  messageRequested,
  signInRequested,
  snapshotRequested,
  windowCloseRequested,
  windowMinimizeRequested,
} from '#shared/actions/userActions.ts';
import type { Clock } from '#shared/clock.ts';
import { type Invoked, MESSAGE_LISTENED, type Received, type Sent } from '#shared/ipc/channels.ts';
import { invokedValidators, sentValidators } from '#shared/ipc/validators.ts';
import { ENCODE_RATE, ENCODE_REQUESTS } from '#shared/limits.ts';
import { attemptSend } from '../base/handleUncaughtErrors.ts';
import { createPacedTasks, perObject } from '../base/tokenBucket.ts';
import type { Listeners, MainState, MainStore } from '../store/mainStore.ts';
import { messengerWindows, sendToWindows, windowNumber } from '../window/messengerWindows.ts';
import { createMessageFilter, markSource, type MessageFilter, receiveActions } from './receiveActions.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Sets up the channels of spec §6.3 in both directions, and the one on which windows send actions (`receiveActions`). A channel from a window only dispatches
 * a user action.
 */
export function setUpChannels({ store, listeners, clock, log }: Options): void {
  const isAdmitted = createMessageFilter(clock, log);
  const on = onWindowMessage(isAdmitted, log);
  const dispatch: Dispatch = (action, { sender }) =>
    void store.dispatch(markSource(action, windowNumber(sender)));
  on('messenger', sentValidators.messenger, (event) => dispatch(snapshotRequested(), event));
  on('message', sentValidators.message, (event, outgoing) => dispatch(messageRequested(outgoing), event));
  on('logout', sentValidators.logout, (event) => dispatch(logOutRequested(), event));
  on('nav', sentValidators.nav, (event, action) =>
    dispatch(action === 'close' ? windowCloseRequested() : windowMinimizeRequested(), event),
  );
  receiveActions({ store, listeners, clock, log, isAdmitted });

  const handle = handleWindowRequest(isAdmitted, log);
  const encodingsOf = perObject(() =>
    createPacedTasks({ rate: ENCODE_RATE, waiting: ENCODE_REQUESTS, clock }),
  );
  handle('encode', invokedValidators.encode, (event, bytes) => {
    return new Promise((answer, refuse) => {
      const isAccepted = encodingsOf(event.sender).run(() => {
        dispatch(encodingRequested({ bytes, answer }), event);
        return bytes.byteLength;
      });
      if (!isAccepted) refuse(new Error('encode: too many requests'));
    });
  });
  handle('auth', invokedValidators.auth, (event, credentials) => {
    return new Promise((answer) => dispatch(signInRequested({ credentials, answer }), event));
  });
  sendUpdates(on, listeners, log);
  listeners.startListening({
    actionCreator: accountChanged,
    effect: (_, { getState }) => sendAccount(getState(), messengerWindows()),
  });
  listeners.startListening({
    predicate: (_, now, before) => now.connection.status !== before.connection.status,
    effect: (_, { getState }) => sendToWindows('ws', statusCode(getState().connection)),
  });
}

/** Sends the account identifier, or `false`, and the reason that no window has shown yet. The page of Parley follows the store instead. */
export function sendAccount(
  { account, notices: { signOutReason } }: Pick<MainState, 'account' | 'notices'>,
  windows: readonly BrowserWindow[],
): void {
  const args: Received['account'] =
    signOutReason === null ? [account.id ?? false] : [account.id ?? false, signOutReason.text];
  for (const { webContents } of windows) webContents.send('account', ...args);
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
/** Dispatches the user action of the window that sent a message. */
type Dispatch = (action: Action, event: IpcMainEvent | IpcMainInvokeEvent) => void;

type AllSent = Sent & { readonly [MESSAGE_LISTENED]: readonly [] };

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
