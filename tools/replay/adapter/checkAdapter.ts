import { isJsonObject } from '#shared/json.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { sessionOf } from '../engine/appSession.ts';
import type { Replayed, SessionAdapter } from '../engine/sessionAdapter.ts';
import { fieldPath, itemPath } from '../diff/valueDiff.ts';

/** An adapter of an app: of its decoder and reducer, or of a session that the app keeps in its own state. */
export type Adapter = AppAdapter | SessionAdapter;

/** What an adapter needs, and whether it has it. */
type Part = readonly [what: string, isFine: boolean];

/** The parts that are functions; a part with a question mark may be missing. */
const APP_PARTS = 'decode kind reduce tick? reduceAction? display?';
const SESSION_PARTS =
  'kind reduce take next release endsSession? failedRelease? typeOf? waiting? notification? ownState? display?';

/**
 * Returns the adapter that a module exports as `adapter` or as its default.
 * @throws {TypeError} when it has none, or when a part of it is missing or has the wrong type.
 */
export function checkAdapter(loaded: unknown): Adapter {
  const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
  if (!isJsonObject(adapter))
    throw new TypeError('exports no adapter: neither `adapter` nor a default export');
  const isSession = 'take' in adapter;
  const functions = (isSession ? SESSION_PARTS : APP_PARTS).split(' ').map((part): Part => {
    const name = part.replace('?', '');
    const isOptional = name !== part;
    const isFine = (isOptional && adapter[name] === undefined) || typeof adapter[name] === 'function';
    return [`${name} (a function${isOptional ? ', or nothing' : ''})`, isFine];
  });
  const { name, initialState, pane, redact } = adapter;
  const parts: readonly Part[] = [
    ['name (a string)', typeof name === 'string'],
    ...functions,
    ['initialState', 'initialState' in adapter],
    ['initialState with counts, queue and connection', !isSession || isSessionState(initialState)],
    ['pane (the path of a module, or nothing)', pane === undefined || typeof pane === 'string'],
    ['redact ({ codes: a list of names })', redact === undefined || areRules(redact)],
  ];
  const problems = parts.flatMap(([what, isFine]) => (isFine ? [] : what));
  if (problems.length > 0) throw new TypeError(`its adapter needs ${problems.join(', ')}`);
  // What the functions do is seen when they run.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const checked = adapter as unknown as Adapter;
  requirePlain(checked.initialState, 'state');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  requirePlain(checked.display?.(checked.initialState as never), 'display');
  return checked;
}

const isSessionState = (state: unknown): boolean =>
  isJsonObject(state) &&
  isJsonObject(state.counts) &&
  isJsonObject(state.counts.rejected) &&
  isJsonObject(state.queue) &&
  isJsonObject(state.connection) &&
  haveNumbers(state.counts, 'received', 'sent', 'applied', 'ignored') &&
  haveNumbers(state.queue, 'length', 'bytes', 'lastTick');

const haveNumbers = (fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean =>
  names.every((name) => typeof fields[name] === 'number');

const areRules = (value: unknown): boolean =>
  isJsonObject(value) &&
  Array.isArray(value.codes) &&
  value.codes.every((name) => typeof name === 'string') &&
  [value.codesOf, value.normalize].every((part) => part === undefined || typeof part === 'function');

/** Returns an app with its name in goldens. Its states and displays are checked: they must be plain data. */
export const replayedApp = (adapter: Adapter): Replayed => ({
  adapter: 'take' in adapter ? plainAdapter(adapter) : sessionOf(plainAdapter(adapter)),
  app: adapter.name,
});

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
export function plainAdapter<A extends Adapter>(adapter: A): A {
  const known = new WeakSet<object>();
  const checked = (name: 'reduce' | 'reduceAction' | 'display', path: string): object => {
    const run: unknown = Reflect.get(adapter, name);
    if (typeof run !== 'function') return {};
    return {
      [name](...given: unknown[]): unknown {
        const value: unknown = run.apply(adapter, given);
        requirePlain(value, path, known);
        return value;
      },
    };
  };
  return {
    ...adapter,
    ...checked('reduce', 'state'),
    ...checked('reduceAction', 'state'),
    ...checked('display', 'display'),
  };
}

/** A value that JSON does not have, and what it is: `a Map`, `a function`. */
type NonJson = Record<'path' | 'what', string>;

/** The depth of values that are searched. */
const DEEPEST = 500;

/** A search: the objects around the current one, and those that are known to be plain data. */
interface Search {
  readonly around: Set<object>;
  readonly known: WeakSet<object>;
}

/**
 * Finds the first part of a value that is not plain data, which comparisons would ignore. A field that is `undefined` counts as missing, and -0
 * as 0.
 * @param known objects that are plain data: they are skipped, and new ones are added.
 */
export const findNonJson = (value: unknown, path = '', known = new WeakSet()): NonJson | undefined =>
  find(value, path, { around: new Set(), known });

function find(value: unknown, path: string, search: Search): NonJson | undefined {
  if (typeof value !== 'object' || value === null) {
    const what = leafProblem(value);
    return what === undefined ? undefined : { path, what };
  }
  const { around, known } = search;
  if (known.has(value)) return undefined;
  if (around.has(value)) return { path, what: 'a cycle: an object that contains itself' };
  if (around.size > DEEPEST) return { path, what: `nested deeper than ${DEEPEST} levels` };
  around.add(value);
  const what = objectProblem(value);
  const found = what === undefined ? findInside(value, path, search) : { path, what };
  around.delete(value);
  if (found === undefined) known.add(value);
  return found;
}

function findInside(value: object, path: string, search: Search): NonJson | undefined {
  // Also the missing items of a list.
  const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [key, part] of parts) {
    const place = typeof key === 'number' ? itemPath(path, key) : fieldPath(path, key);
    const found = find(part, place, search);
    if (found !== undefined) return found;
  }
  const isNamed = Array.isArray(value) && Object.keys(value).length > value.length;
  return isNamed ? { path, what: 'a list with named fields' } : undefined;
}

function objectProblem(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return undefined;
  if (prototype !== Object.prototype && prototype !== null) return withArticle(value);
  const hasSymbols = Object.getOwnPropertySymbols(value).length > 0;
  return hasSymbols ? 'an object with a symbol as the name of a field' : undefined;
}

/** Returns the class of an object, as `a Map`. */
function withArticle(value: object): string {
  const { constructor: made } = Object(Object.getPrototypeOf(value));
  const name = typeof made === 'function' && made.name !== '' ? made.name : 'class instance';
  return `${/^[AEIOU]/i.test(name) ? 'an' : 'a'} ${name}`;
}

function leafProblem(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}
