import type { StoreEnhancer } from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/sync.ts';

/**
 * Main → windows, and only so: electron-redux forwards every standard action that is not local, right after it was
 * reduced. It would also take actions from a window and answer a blocking state request; both are taken away.
 */
export const fanOut = (): StoreEnhancer => (createStore) => (reducer, preloaded) => {
  const store = stateSyncEnhancer()(createStore)(reducer, preloaded);
  ipcMain.removeAllListeners(SYNC_ACTION);
  ipcMain.removeAllListeners(SYNC_STATE_BLOCKING);
  return store;
};
