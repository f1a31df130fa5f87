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
 * Answers a window that fetches the state, in place of electron-redux, which would give all of it to anybody: only the
 * shared part, and only to a window of ours. The messages follow in parts, which the window fetches one by one, so main
 * keeps nothing for it.
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

/** Tells the windows the last number every 2 s, so that one that missed the last action notices. */
export const startHeartbeat = (store: MainStore, clock: Clock): Cancel =>
  every(clock, HEARTBEAT_MS, () => void store.dispatch(heartbeat(store.getState().sequence)));
