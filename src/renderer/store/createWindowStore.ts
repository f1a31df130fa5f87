import { configureStore } from '@reduxjs/toolkit';
import type { ParleySyncBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { DEFAULT_MIDDLEWARE } from '#shared/store/sessionMiddleware.ts';
import { createTextMemory } from '../texts/createTextMemory.ts';
import { rememberTexts } from '../texts/rememberTexts.ts';
import { follow } from './follow.ts';
import { sendState } from './sendState.ts';
import { windowReducer } from './windowReducer.ts';

/** Creates the window's store, which follows main's shared state action by action. The window itself dispatches only its own
 * actions. Keeps the texts of the text box in `texts`. */
export function createWindowStore(
  sync: ParleySyncBridge,
  tools: Pick<ParleyToolsBridge, 'send' | 'on'>,
  texts = createTextMemory(null),
) {
  return configureStore({
    reducer: windowReducer,
    middleware: (defaults) => defaults(DEFAULT_MIDDLEWARE).concat(rememberTexts(texts), sendState(tools)),
    enhancers: (defaults) => defaults({ autoBatch: false }).concat(follow(sync)),
  });
}

/** The window's store. */
export type WindowStore = ReturnType<typeof createWindowStore>;
