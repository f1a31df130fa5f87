import { type ListenerMiddlewareInstance, createListenerMiddleware } from '@reduxjs/toolkit';
import type { MainStore } from './store.ts';

/** Where effects live: what the program does when something has happened. */
export type Listeners = ListenerMiddlewareInstance<ReturnType<MainStore['getState']>, MainStore['dispatch']>;

export const createListeners = (): Listeners => createListenerMiddleware();
