/** A value that says when it changed; the shape that React's `useSyncExternalStore` takes. */
export interface Cell<T> {
  readonly get: () => T;
  /** Calls `listener` at every change until the function that it returns is called. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Setting the same value again is no change. */
  readonly set: (value: T) => void;
}

/** A cell that holds `value` at first. */
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
