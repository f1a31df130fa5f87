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

/** Creates a store with an initial state. */
export function createStore<S extends object>(initial: S) {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: (): S => state,
    /** Changes fields and notifies the listeners. */
    set: (part: Partial<S>): void => {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    /** Returns a function that unsubscribes. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
  let isBusy = false;
  let waiting: { readonly what: T } | undefined;
  const run = async (what: T) => {
    waiting = { what };
    if (isBusy) return;
    isBusy = true;
    while (waiting !== undefined) {
      const next: T = waiting.what;
      waiting = undefined;
      await work(next).catch(onError);
    }
    isBusy = false;
  };
  return (what: T): void => void run(what);
}
