import { useSyncExternalStore } from 'react';

/** One place of state: read it, change some of it, hear of changes. */
export interface Store<S> {
  get(): S;
  set(part: Partial<S>): void;
  subscribe(listener: () => void): () => void;
}

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

/** What `select` finds in the state; drawn again when that is another. It must not make anything new. */
export const useSelected = <S, T>(store: Store<S>, select: (state: S) => T): T =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
