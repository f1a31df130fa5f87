import { findNonJson } from '../diff/findNonJson.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';

/** A state or a display that is not plain data. The message has the path and the kind of value, and no values. */
export class PlainDataError extends TypeError {}

/**
 * Checks that a value is plain data (JSON), or missing: comparisons and goldens would not contain anything else.
 * @param known objects that are plain data, as in `findNonJson`.
 * @throws {PlainDataError} with the path of the first part that is not.
 */
export function requirePlain(value: unknown, path: string, known?: WeakSet<object>): void {
  const found = value === undefined ? undefined : findNonJson(value, path, known);
  if (found !== undefined)
    throw new PlainDataError(`${found.path} is ${found.what}; a state is plain data (JSON)`);
}

/**
 * Returns an adapter whose functions throw a {@link PlainDataError} when a state or a display is not plain data. Objects are checked once, so the
 * cost depends on what is new.
 */
export function plainAdapter(adapter: AppAdapter): AppAdapter {
  const known = new WeakSet<object>();
  const checked = (value: unknown, path: string) => {
    requirePlain(value, path, known);
    return value;
  };
  const { reduceAction, display } = adapter;
  return {
    ...adapter,
    reduce: (state, update) => checked(adapter.reduce(state, update), 'state'),
    ...(reduceAction && {
      reduceAction: (state, action) => checked(reduceAction.call(adapter, state, action), 'state'),
    }),
    ...(display && { display: (state) => checked(display.call(adapter, state), 'display') }),
  };
}
