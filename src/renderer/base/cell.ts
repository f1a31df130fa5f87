/** A value that notifies its subscribers of changes, in the form that React's `useSyncExternalStore` takes. */
export interface Cell<T> {
  readonly get: () => T;
  /** Calls `listener` at every change; returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Sets the value. Setting the same value again notifies no listener. */
  readonly set: (value: T) => void;
}

/** Creates a cell with an initial value. */
export function cell<T>(value: T): Cell<T> {
  const listeners = new Set<() => void>();
  let current = value;
  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      if (Object.is(current, next)) return;
      current = next;
      for (const listener of listeners) listener();
    },
  };
}
