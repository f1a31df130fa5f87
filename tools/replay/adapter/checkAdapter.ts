import { isJsonObject } from '#shared/isJsonObject.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { appView, requirePlainData } from './appResult.ts';

const FUNCTIONS = ['decode', 'kind', 'reduce'] as const;
const OPTIONAL_FUNCTIONS = ['tick', 'reduceAction', 'display'] as const;

/**
 * Returns the adapter that a module exports as `adapter` or as its default.
 * @throws {TypeError} when it has none, or when a part of it is missing or has the wrong type.
 */
export function checkAdapter(loaded: unknown): AppAdapter {
  const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
  if (!isJsonObject(adapter))
    throw new TypeError('exports no adapter: neither `adapter` nor a default export');
  const problems = [
    ...(typeof adapter.name === 'string' ? [] : ['name (a string)']),
    ...FUNCTIONS.filter((name) => typeof adapter[name] !== 'function').map((name) => `${name} (a function)`),
    ...OPTIONAL_FUNCTIONS.filter((name) => !isOptionalFunction(adapter[name])).map(
      (name) => `${name} (a function, or nothing)`,
    ),
    ...('initialState' in adapter ? [] : ['initialState']),
    ...(adapter.pane === undefined || typeof adapter.pane === 'string'
      ? []
      : ['pane (the path of a module, or nothing)']),
    ...(areRules(adapter.redact) ? [] : ['redact ({ codes: a list of names })']),
  ];
  if (problems.length > 0) throw new TypeError(`its adapter needs ${problems.join(', ')}`);
  // What the functions do is seen when they run.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const checked = adapter as unknown as AppAdapter;
  requirePlainData(appView(checked, checked.initialState));
  return checked;
}

const isOptionalFunction = (value: unknown): boolean => value === undefined || typeof value === 'function';

const areRules = (value: unknown): boolean =>
  value === undefined ||
  (isJsonObject(value) &&
    Array.isArray(value.codes) &&
    value.codes.every((name) => typeof name === 'string'));
