import { isJsonObject } from '#shared/isJsonObject.ts';
import { findNonJson } from '../diff/findNonJson.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { sessionOf } from '../engine/appSession.ts';
import type { Replayed, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';

/** An adapter of an app: of its decoder and reducer, or of a session that the app keeps in its own state. */
export type Adapter = AppAdapter | SessionAdapter;

/** The parts that are functions; a part with a question mark may be missing. */
const APP_PARTS = ['decode', 'kind', 'reduce', 'tick?', 'reduceAction?', 'display?'];
const SESSION_PARTS =
  'kind reduce take next release endsSession? failedRelease? typeOf? waiting? notification? ownState? display?'.split(
    ' ',
  );

/**
 * Returns the adapter that a module exports as `adapter` or as its default.
 * @throws {TypeError} when it has none, or when a part of it is missing or has the wrong type.
 */
export function checkAdapter(loaded: unknown): Adapter {
  const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
  if (!isJsonObject(adapter))
    throw new TypeError('exports no adapter: neither `adapter` nor a default export');
  const isSession = 'take' in adapter;
  const problems = [
    ...(typeof adapter.name === 'string' ? [] : ['name (a string)']),
    ...missingFunctions(adapter, isSession ? SESSION_PARTS : APP_PARTS),
    ...('initialState' in adapter ? [] : ['initialState']),
    ...(isSession && !isSessionState(adapter.initialState)
      ? ['initialState with counts, queue and connection']
      : []),
    ...(adapter.pane === undefined || typeof adapter.pane === 'string'
      ? []
      : ['pane (the path of a module, or nothing)']),
    ...(areRules(adapter.redact) ? [] : ['redact ({ codes: a list of names })']),
  ];
  if (problems.length > 0) throw new TypeError(`its adapter needs ${problems.join(', ')}`);
  // What the functions do is seen when they run.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const checked = adapter as unknown as Adapter;
  requirePlain(checked.initialState, 'state');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  requirePlain(checked.display?.(checked.initialState as never), 'display');
  return checked;
}

function missingFunctions(adapter: Readonly<Record<string, unknown>>, parts: readonly string[]): string[] {
  const needed = parts.filter((part) => !part.endsWith('?'));
  const optional = parts.filter((part) => part.endsWith('?')).map((part) => part.slice(0, -1));
  return [
    ...needed.filter((name) => typeof adapter[name] !== 'function').map((name) => `${name} (a function)`),
    ...optional
      .filter((name) => adapter[name] !== undefined && typeof adapter[name] !== 'function')
      .map((name) => `${name} (a function, or nothing)`),
  ];
}

const isSessionState = (state: unknown): boolean =>
  isJsonObject(state) &&
  isJsonObject(state.counts) &&
  isJsonObject(state.counts.rejected) &&
  isJsonObject(state.queue) &&
  isJsonObject(state.connection) &&
  ['received', 'sent', 'applied', 'ignored'].every(
    (name) => typeof Object(state.counts)[name] === 'number',
  ) &&
  ['length', 'bytes', 'lastTick'].every((name) => typeof Object(state.queue)[name] === 'number');

const areRules = (value: unknown): boolean =>
  value === undefined ||
  (isJsonObject(value) &&
    Array.isArray(value.codes) &&
    value.codes.every((name) => typeof name === 'string'));

/** Returns an app with its name in goldens. Its states and displays are checked: they must be plain data. */
export const replayedApp = (adapter: Adapter): Replayed => ({
  adapter: 'take' in adapter ? plainSession(adapter) : sessionOf(plainAdapter(adapter)),
  app: adapter.name,
});

function plainSession(adapter: SessionAdapter): SessionAdapter {
  const known = new WeakSet<object>();
  return {
    ...adapter,
    reduce(state, action) {
      const next = adapter.reduce(state, action);
      requirePlain(next, 'state', known);
      return next;
    },
    ...(adapter.display && {
      display(state: SessionState) {
        const shown = adapter.display?.(state);
        requirePlain(shown, 'display', known);
        return shown;
      },
    }),
  };
}

/** A state or a display that is not plain data. The message has the path and the kind of value, and no values. */
export class PlainDataError extends TypeError {}

/**
 * Checks that a value is plain data (JSON), or missing: comparisons and goldens would not contain anything else.
 * @param known objects that are plain data, as in `findNonJson`.
 * @throws {PlainDataError} with the path of the first part that is not.
 */
function requirePlain(value: unknown, path: string, known?: WeakSet<object>): void {
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
