import { useSyncExternalStore } from 'react';

/** A store of state: reads it, changes fields and notifies listeners. */
export interface Store<S> {
  get(): S;
  set(part: Partial<S>): void;
  subscribe(listener: () => void): () => void;
}

/** Creates a store with an initial state. */
export function createStore<S extends object>(initial: S): Store<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Selects a value of the state; re-renders when the value changes. `select` must return a stable reference. */
export const useSelected = <S, T>(store: Store<S>, select: (state: S) => T): T =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
