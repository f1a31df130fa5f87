import { type ListenerMiddlewareInstance, createListenerMiddleware } from '@reduxjs/toolkit';
import { attemptSend } from '../base/attemptSend.ts';
import { errorFields } from '../base/errorFields.ts';
import { UNEXPECTED_ERROR } from '../base/handleUncaughtErrors.ts';
import type { Logger } from '#node/createLogger.ts';
import type { MainStore } from './mainStore.ts';

/** The listener middleware of main: effects run here, never in reducers. */
export type Listeners = ListenerMiddlewareInstance<ReturnType<MainStore['getState']>, MainStore['dispatch']>;

/**
 * Creates the listeners. An error in one listener is logged and shown in the windows, as any unexpected error; the others still run.
 * @param note shows a sentence in every window.
 */
export const createListeners = (log: Logger, note: (text: string) => void): Listeners =>
  createListenerMiddleware({
    onError(error, { raisedBy }) {
      log.error({ raisedBy, ...errorFields(error) }, 'an error in a listener');
      attemptSend(log, 'note', () => note(UNEXPECTED_ERROR));
    },
  });
