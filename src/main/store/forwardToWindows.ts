import { type Action, type StoreEnhancer, legacy_createStore } from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/sync.ts';
import { WINDOW_BATCH_LENGTH } from '#shared/limits.ts';
import { actionsForwarded } from '#shared/ipc/actionsForwarded.ts';
import { snapshotApplied } from '#shared/store/conversation.ts';
import { isOfType } from '#shared/isOfType.ts';
import { heartbeat, sequenceNumber } from '#shared/store/sequence.ts';
import { updateApplied } from '#shared/store/updates.ts';
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
        if (sequenceNumber(action) !== undefined || isOfType(action, heartbeat)) forward(action);
        return reduced;
      },
    };
  };

/**
 * Returns a function that sends an action to the windows. The first action of a turn of the event loop is sent at once.
 * The others of that turn are sent together at its end, or when they are long or many:
 *
 *     nothing sent ── action: sent ──▶ collecting ── action ──▶ collecting
 *           ▲                              │
 *           └── the turn ends: sent ───────┘
 */
function createForwarder(log: Logger, send: (action: Action) => void) {
  let isCollecting = false;
  let collected: Action[] = [];
  let length = 0;

  const attempt = (task: () => void) => attemptSend(log, SYNC_ACTION, task);
  const flush = () => {
    const actions = collected;
    collected = [];
    length = 0;
    sendTogether(actions, { attempt, send });
  };
  const endBatch = () => {
    isCollecting = false;
    flush();
  };
  return (action: Action): void =>
    attempt(() => {
      const forWindows = actionForWindows(action, () => log.warn(TOO_LONG_FOR_WINDOWS));
      if (isCollecting) {
        collected.push(forWindows);
        length += approximateLength(forWindows);
        if (length > WINDOW_BATCH_LENGTH) flush();
        return;
      }
      isCollecting = true;
      queueMicrotask(endBatch);
      send(forWindows);
    });
}

interface Sending {
  readonly attempt: (task: () => void) => void;
  readonly send: (action: Action) => void;
}

/** Sends actions together. When one of them cannot be serialized, sends each alone, so that only that one is refused. */
function sendTogether(actions: readonly Action[], { attempt, send }: Sending): void {
  if (actions.length === 0) return;
  const batch = tryBatch(actions);
  if (batch !== undefined) return attempt(() => send(batch));
  for (const action of actions) attempt(() => send(actionsForwarded([action])));
}

function tryBatch(actions: readonly Action[]): Action | undefined {
  try {
    return actionsForwarded(actions);
  } catch {
    return undefined;
  }
}

/** The length of an action beside the frame or text in it, about. */
const ACTION_LENGTH = 100;

/** Returns the approximate length of an action's JSON. Only a frame and a snapshot's messages are long. */
function approximateLength(action: Action): number {
  if (isOfType(action, updateApplied)) return ACTION_LENGTH + action.payload.bytes;
  return isOfType(action, snapshotApplied) ? ACTION_LENGTH + action.payload.newest.length : ACTION_LENGTH;
}
