import { backlogOf } from '#shared/store/sharedSlices.ts';
import { ipcMain } from 'electron';
import type { Logger } from '#node/createLogger.ts';
import { backlogReported, heartbeat } from '#shared/actions/sessionActions.ts';
import { type Cancel, type Clock, every } from '#shared/clock.ts';
import { SYNC_PART, SYNC_STATE } from '#shared/ipc/channels.ts';
import {
  BACKLOG_MS,
  HEARTBEAT_MS,
  STATE_RATE,
  STATE_REQUEST_LENGTH,
  STATE_REQUESTS,
} from '#shared/limits.ts';
import { createPacedTasks, perObject } from '../base/tokenBucket.ts';
import { partText, stateText, TOO_LONG_FOR_WINDOWS } from '../store/actionForWindows.ts';
import type { MainState, MainStore } from '../store/mainStore.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';

interface Options {
  readonly store: MainStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs a task after other work of this process. */
  readonly defer?: (task: () => void) => void;
}

/**
 * Answers requests for the state, in place of electron-redux, which would send the whole state to any page: only the
 * shared part, and only to a messenger window. The window fetches the messages in parts, one by one, so main stores nothing
 * per window. The requests of a window are answered one by one, and wait when they exceed `STATE_RATE`; it has no more than `STATE_REQUESTS` of them.
 */
export function answerStateRequests({ store, log, ...timing }: Options): void {
  const tasksOf = perObject(() => createPacedTasks({ rate: STATE_RATE, waiting: STATE_REQUESTS, ...timing }));
  const onTooLong = () => log.warn(TOO_LONG_FOR_WINDOWS);
  const answer = (channel: string, text: (state: MainState, ...args: unknown[]) => string | null) => {
    ipcMain.removeHandler(channel);
    ipcMain.handle(channel, (event, ...args: unknown[]) => {
      if (!isFromMessengerWindow(event)) throw new Error('not a window of Parley');
      return new Promise((resolve, reject) => {
        const isAccepted = tasksOf(event.sender).run(() => {
          try {
            const answered = text(store.getState(), ...args);
            resolve(answered);
            return Math.max(answered?.length ?? 0, STATE_REQUEST_LENGTH);
          } catch (error) {
            reject(error);
            return STATE_REQUEST_LENGTH;
          }
        });
        if (!isAccepted) reject(new Error(`${channel}: too many requests`));
      });
    });
  };
  answer(SYNC_STATE, (state) => stateText(state, onTooLong));
  answer(SYNC_PART, (state, start, before) => partText(state, { start, before }, onTooLong));
}

/** Sends the last sequence number to the windows every 2 s, so that a window notices when it missed the last action. */
export const startHeartbeat = (store: MainStore, clock: Clock): Cancel =>
  every(clock, HEARTBEAT_MS, () => void store.dispatch(heartbeat(store.getState().sequence)));

/**
 * Reports to the windows how many updates wait: at once when the number becomes large, then once a second while it
 * changes. The report is a separate action, so that main and the windows apply all actions in the same order.
 */
export function reportBacklog(store: MainStore, clock: Clock): Cancel {
  let reportedAt = -Infinity;
  let cancel: Cancel | undefined;

  const waiting = () => backlogOf(store.getState().queue.length);
  const isReported = () => waiting().updates === store.getState().backlog.updates;
  const report = () => {
    cancel = undefined;
    if (isReported()) return;
    reportedAt = clock.now();
    store.dispatch(backlogReported(waiting()));
  };
  const stop = store.subscribe(() => {
    if (cancel !== undefined || isReported()) return;
    cancel = clock.after(Math.max(0, reportedAt + BACKLOG_MS - clock.now()), report);
  });
  return () => {
    stop();
    cancel?.();
  };
}
