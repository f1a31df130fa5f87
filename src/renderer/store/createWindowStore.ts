import { configureStore } from '@reduxjs/toolkit';
import type { ParleySyncBridge } from '#shared/ipc/sync.ts';
import { DEFAULT_MIDDLEWARE } from '#shared/store/middleware.ts';
import { follow } from './follow.ts';
import { windowReducer } from './windowReducer.ts';

/** Creates the window's store, which follows main's shared state action by action. The window itself dispatches only its own
 * actions. */
export function createWindowStore(sync: ParleySyncBridge) {
  return configureStore({
    reducer: windowReducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE),
    enhancers: (defaults) => defaults({ autoBatch: false }).concat(follow(sync)),
  });
}

export type WindowStore = ReturnType<typeof createWindowStore>;
