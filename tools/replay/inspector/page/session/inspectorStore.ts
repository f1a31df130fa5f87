import { legacy_createStore } from '@reduxjs/toolkit';
import { useSyncExternalStore } from 'react';
import { type InspectorClient, SupersededError } from '../../protocol/workerClient.ts';
import type { InspectorState } from './inspectorState.ts';

/** What the modules of the session share. */
export type Core = ReturnType<typeof createCore>;

/** Creates what the modules of the session share. */
export function createCore(client: InspectorClient, store: Store<InspectorState>) {
  removeOldNotices(store);
  return {
    client,
    store,
    /** Shows a notice of one line until the person changes what it is about: the step, the search, the list or the edits. */
    notify: (text: string) => store.set({ notice: { text, isError: false } }),
    /** Shows a warning about the session, as long as the session is shown. */
    warn: (text: string, isError: boolean) => store.set({ warning: { text, isError } }),
    fail: unlessSuperseded((text) => store.set({ notice: { text, isError: true } })),
    /** Shows an error under the field of the search. */
    failSearch: unlessSuperseded((searchError) => store.set({ searchError })),
  };
}

/** Ignores the error for a request when a newer one is in progress. */
const unlessSuperseded = (show: (text: string) => void) => (error: unknown) => {
  if (!(error instanceof SupersededError)) show(errorText(error));
};

/** The parts of the state that a notice is about. */
const SUBJECT = ['branch', 'step', 'search', 'filter', 'range', 'edits', 'compare'] as const;

/** Removes a notice when a part of its subject changes. */
function removeOldNotices(store: Store<InspectorState>): void {
  let shown = store.get();
  store.subscribe(() => {
    const state = store.get();
    if (state.notice !== shown.notice) shown = state;
    else if (state.notice && SUBJECT.some((name) => state[name] !== shown[name]))
      store.set({ notice: undefined });
  });
}

/** Returns the message of an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A store of state. */
export type Store<S extends object> = ReturnType<typeof createStore<S>>;

/** Creates a store with an initial state; `set` changes fields. */
export function createStore<S extends object>(initial: S) {
  const { getState, dispatch, subscribe } = legacy_createStore(
    (state: S = initial, { part }: { type: string; part?: Partial<S> }) => ({ ...state, ...part }),
  );
  return {
    get: (): S => getState(),
    set: (part: Partial<S>): void => void dispatch({ type: 'set', part }),
    subscribe,
  };
}

/** Selects a value of the state; re-renders when the value changes. `select` must return a stable reference. */
export const useSelected = <S extends object, T>(store: Store<S>, select: (state: S) => T): T =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));

/**
 * Runs only the newest of the requested pieces of work. One piece runs at a time; meanwhile only the newest further piece is kept,
 * and the ones before it are dropped.
 *
 *   idle ─request─▶ busy ─done─▶ idle
 *                   busy ─request─▶ busy, one waiting ─done─▶ busy
 */
export function latest<T>(work: (what: T) => Promise<void>, onError: (error: unknown) => void) {
  let waiting: (() => Promise<void>) | undefined;
  let isBusy = false;
  const run = async () => {
    isBusy = true;
    for (let next = waiting; next !== undefined; next = waiting) {
      waiting = undefined;
      await next().catch(onError);
    }
    isBusy = false;
  };
  return (what: T): void => {
    waiting = () => work(what);
    if (!isBusy) void run();
  };
}
