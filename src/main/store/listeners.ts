import { type ListenerMiddlewareInstance, createListenerMiddleware } from '@reduxjs/toolkit';
import { errorFields } from '../base/errorFields.ts';
import type { Logger } from '#log/createLogger.ts';
import type { MainStore } from './mainStore.ts';

/** Where effects live: what the program does when something has happened. */
export type Listeners = ListenerMiddlewareInstance<ReturnType<MainStore['getState']>, MainStore['dispatch']>;

/** An error in one listener is logged; the others run. */
export const createListeners = (log: Logger): Listeners =>
  createListenerMiddleware({
    onError: (error, { raisedBy }) =>
      log.error({ raisedBy, ...errorFields(error) }, 'an error in a listener'),
  });
