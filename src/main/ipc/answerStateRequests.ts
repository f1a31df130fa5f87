import { ipcMain } from 'electron';
import { HEARTBEAT_MS, STATE_RATE, STATE_REQUESTS, STATE_REQUEST_LENGTH } from '#shared/limits.ts';
import { SYNC_PART, SYNC_STATE } from '#shared/ipc/channels.ts';
import { heartbeat } from '#shared/actions/sessionActions.ts';
import { type Cancel, type Clock, every } from '#shared/clock.ts';
import { type PacedTasks, createPacedTasks, perObject } from '../base/pacedTasks.ts';
import type { MainState, MainStore } from '../store/mainStore.ts';
import type { Logger } from '#node/createLogger.ts';
import { TOO_LONG_FOR_WINDOWS } from '../store/tooLong.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { partText, stateText } from './stateText.ts';

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
  const tasksOf = perObject<PacedTasks>(() =>
    createPacedTasks({ rate: STATE_RATE, waiting: STATE_REQUESTS, ...timing }),
  );
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
