import type { ParleyAdapter } from '#shared/replay/adapter.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';

/** Returns Parley with states that are deeply frozen: a reducer that mutates a state throws a `TypeError`. */
export const frozenParley = (adapter: ParleyAdapter): ParleyAdapter => ({
  ...adapter,
  initialState: frozen(adapter.initialState),
  reduce: (state, action) => frozen(adapter.reduce(state, action)),
});

/** Does the same as {@link frozenParley} for the adapter of another app, which may freeze only a part of a state itself. */
export function frozenAdapter(adapter: AppAdapter): AppAdapter {
  const { reduceAction } = adapter;
  const deeplyFrozen = new WeakSet();
  const isDone = (value: object) => {
    if (deeplyFrozen.has(value)) return true;
    deeplyFrozen.add(value);
    return false;
  };
  return {
    ...adapter,
    initialState: frozen(adapter.initialState, isDone),
    reduce: (state, update) => frozen(adapter.reduce(state, update), isDone),
    ...(reduceAction && { reduceAction: (state, action) => frozen(reduceAction(state, action), isDone) }),
  };
}

/** Freezes a value with all its parts. Parts that are done already are skipped, so the cost depends on what is new. */
export function frozen<T>(value: T, isDone: (part: object) => boolean = Object.isFrozen): T {
  if (typeof value !== 'object' || value === null || isDone(value)) return value;
  Object.freeze(value);
  // `Object.values` would make a list for each object.
  if (Array.isArray(value)) for (const part of value) frozen(part, isDone);
  else for (const key in value) frozen(value[key], isDone);
  return value;
}

/** Returns whether an error is that of an assignment to a frozen object. */
export const isFrozenError = (error: unknown): boolean =>
  error instanceof TypeError &&
  /read only property|not extensible|Cannot (?:delete|redefine|define) property/.test(error.message);
