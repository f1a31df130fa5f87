import { type StoreEnhancer, legacy_createStore } from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/sync.ts';
import type { Logger } from '#log/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { actionForWindows } from './actionForWindows.ts';
import { TOO_LONG_FOR_WINDOWS } from './tooLong.ts';

/**
 * Main → windows, and only so: electron-redux forwards every standard action that is not local, right after it was
 * reduced, in the form for windows. It would also take actions from a window and answer a blocking state request; both
 * are taken away. An action that cannot be forwarded is logged; its number is missing in the windows, so they fetch the
 * state.
 */
export const forwardToWindows =
  (log: Logger): StoreEnhancer =>
  (createStore) =>
  (reducer, preloaded) => {
    const store = createStore(reducer, preloaded);
    // With an empty store, electron-redux only forwards.
    const { dispatch: forward } = stateSyncEnhancer()(legacy_createStore)(() => null);
    ipcMain.removeAllListeners(SYNC_ACTION);
    ipcMain.removeAllListeners(SYNC_STATE_BLOCKING);
    return {
      ...store,
      dispatch(action) {
        const reduced = store.dispatch(action);
        attemptSend(
          log,
          SYNC_ACTION,
          () => void forward(actionForWindows(action, () => log.warn(TOO_LONG_FOR_WINDOWS))),
        );
        return reduced;
      },
    };
  };
