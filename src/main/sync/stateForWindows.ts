import { ipcMain } from 'electron';
import { HEARTBEAT_MS } from '#shared/limits.ts';
import { SYNC_STATE } from '#shared/ipc/sync.ts';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { heartbeat } from '#shared/store/sequence.ts';
import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import type { MainStore } from '../store.ts';
import { isOurWindow } from '../window/sender.ts';

/**
 * Answers a window that asks for the state, in place of electron-redux, which would give all of it to anybody: only
 * the shared part, its number within, and only to a window of ours.
 */
export function answerStateRequests(store: MainStore): void {
  ipcMain.removeHandler(SYNC_STATE);
  ipcMain.handle(SYNC_STATE, (event) => {
    if (!isOurWindow(event)) throw new Error('not a window of Parley');
    return JSON.stringify(sharedPart(store.getState()));
  });
}

/** Tells the windows the last number every 2 s, so that one that missed the last action notices. */
export const beat = (store: MainStore, clock: Clock): Cancel =>
  every(clock, HEARTBEAT_MS, () => void store.dispatch(heartbeat(store.getState().sequence)));
