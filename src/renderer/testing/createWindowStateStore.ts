import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';

/** Creates the store of a window whose page has just loaded; `more` returns its other slices, of which `changed` tells. */
export function createWindowStateStore<More extends object>(more: () => More = () => Object({})) {
  let own = initialWindowState;
  /** The actions so far. */
  const dispatched: WindowStateAction[] = [];
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  return {
    dispatched,
    changed,
    getState: () => ({ ...more(), own }),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispatch(action: WindowStateAction) {
      dispatched.push(action);
      own = windowStateReducer(own, action);
      changed();
    },
  };
}

/** Creates the storage of a tab, which lives as long as the tab. */
export function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
