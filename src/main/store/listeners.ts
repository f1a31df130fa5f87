import { type ListenerMiddlewareInstance, createListenerMiddleware } from '@reduxjs/toolkit';
import { errorFields } from '../base/errorFields.ts';
import type { Logger } from '#log/createLogger.ts';
import type { MainStore } from './mainStore.ts';

/** The listener middleware of main: effects run here, never in reducers. */
export type Listeners = ListenerMiddlewareInstance<ReturnType<MainStore['getState']>, MainStore['dispatch']>;

/** Creates the listeners. An error in one listener is logged; the others still run. */
export const createListeners = (log: Logger): Listeners =>
  createListenerMiddleware({
    onError: (error, { raisedBy }) =>
      log.error({ raisedBy, ...errorFields(error) }, 'an error in a listener'),
  });
