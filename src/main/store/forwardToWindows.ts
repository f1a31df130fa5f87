import { type Action, type StoreEnhancer, legacy_createStore } from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/channels.ts';
import { isOfType } from '#shared/isOfType.ts';
import { sequenceNumber } from '#shared/store/sequence.ts';
import type { Logger } from '#node/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { actionForWindows } from './actionForWindows.ts';
import { TOO_LONG_FOR_WINDOWS } from './tooLong.ts';
import { heartbeat } from '#shared/actions/sessionActions.ts';

/**
 * Forwards actions from main to the windows, and never back: electron-redux sends each numbered action, right after it was
 * reduced, in the form for windows. An excluded window drops them (`excludeWindow`). Its listeners for actions from a
 * window and for blocking state requests are removed. An action that cannot be forwarded is logged; the windows notice the
 * missing number and fetch the state.
 */
export const forwardToWindows =
  (log: Logger): StoreEnhancer =>
  (createStore) =>
  (reducer, preloaded) => {
    const store = createStore(reducer, preloaded);
    // With an empty store, electron-redux does nothing but forward.
    const { dispatch: send } = stateSyncEnhancer()(legacy_createStore)(() => null);
    ipcMain.removeAllListeners(SYNC_ACTION);
    ipcMain.removeAllListeners(SYNC_STATE_BLOCKING);
    const forward = (action: Action) =>
      attemptSend(log, SYNC_ACTION, () =>
        send(actionForWindows(action, () => log.warn(TOO_LONG_FOR_WINDOWS))),
      );
    return {
      ...store,
      dispatch(action) {
        const reduced = store.dispatch(action);
        if (sequenceNumber(action) !== undefined || isOfType(action, heartbeat)) forward(action);
        return reduced;
      },
    };
  };
