import { type Action, type StoreEnhancer, legacy_createStore } from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/sync.ts';
import { WINDOW_BATCH_LENGTH } from '#shared/limits.ts';
import { actionsForwarded, heartbeat, sequenceNumber } from '#shared/store/sequence.ts';
import type { Logger } from '#log/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { actionForWindows } from './actionForWindows.ts';
import { TOO_LONG_FOR_WINDOWS } from './tooLong.ts';

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
    const forward = createForwarder(log, (action) => void send(action));
    return {
      ...store,
      dispatch(action) {
        const reduced = store.dispatch(action);
        if (sequenceNumber(action) !== undefined || heartbeat.match(action)) forward(action);
        return reduced;
      },
    };
  };

/**
 * Returns a function that sends an action to the windows. The first action of a turn of the event loop is sent at once.
 * The others of that turn are sent together at its end, or when they are long:
 *
 *     nothing sent ── action: sent ──▶ collecting ── action ──▶ collecting
 *           ▲                              │
 *           └── the turn ends: sent ───────┘
 */
function createForwarder(log: Logger, send: (action: Action) => void) {
  let isCollecting = false;
  let texts: string[] = [];
  let length = 0;

  const flush = () => {
    if (texts.length === 0) return;
    const batch = actionsForwarded(`[${texts.join(',')}]`);
    texts = [];
    length = 0;
    send(batch);
  };
  const collect = (action: Action) => {
    const text = JSON.stringify(action);
    texts.push(text);
    length += text.length;
    if (length > WINDOW_BATCH_LENGTH) flush();
  };
  const attempt = (task: () => void) => attemptSend(log, SYNC_ACTION, task);
  const endBatch = () => {
    isCollecting = false;
    attempt(flush);
  };
  return (action: Action): void =>
    attempt(() => {
      const forWindows = actionForWindows(action, () => log.warn(TOO_LONG_FOR_WINDOWS));
      if (isCollecting) return collect(forWindows);
      isCollecting = true;
      queueMicrotask(endBatch);
      return send(forWindows);
    });
}
