import { ipcMain } from 'electron';
import { HEARTBEAT_MS } from '#shared/limits.ts';
import { SYNC_PART, SYNC_STATE } from '#shared/ipc/sync.ts';
import { heartbeat } from '#shared/store/sequence.ts';
import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import type { MainState, MainStore } from '../store/mainStore.ts';
import type { Logger } from '#log/createLogger.ts';
import { TOO_LONG_FOR_WINDOWS } from '../store/tooLong.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { partText, stateText } from './stateText.ts';

/**
 * Answers requests for the state, in place of electron-redux, which would send the whole state to any page: only the
 * shared part, and only to a messenger window. The window fetches the messages in parts, one by one, so main stores nothing
 * per window.
 */
export function answerStateRequests(store: MainStore, log: Logger): void {
  const onTooLong = () => log.warn(TOO_LONG_FOR_WINDOWS);
  const answer = (channel: string, text: (state: MainState, ...args: unknown[]) => string | null) => {
    ipcMain.removeHandler(channel);
    ipcMain.handle(channel, (event, ...args: unknown[]) => {
      if (!isFromMessengerWindow(event)) throw new Error('not a window of Parley');
      return text(store.getState(), ...args);
    });
  };
  answer(SYNC_STATE, (state) => stateText(state, onTooLong));
  answer(SYNC_PART, (state, start, before) => partText(state, { start, before }, onTooLong));
}

/** Sends the last sequence number to the windows every 2 s, so that a window notices when it missed the last action. */
export const startHeartbeat = (store: MainStore, clock: Clock): Cancel =>
  every(clock, HEARTBEAT_MS, () => void store.dispatch(heartbeat(store.getState().sequence)));
