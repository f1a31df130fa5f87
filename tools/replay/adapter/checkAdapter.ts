import { isJsonObject } from '#shared/json.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { sessionOf } from '../engine/appSession.ts';
import type { Replayed, SessionAdapter } from '../engine/sessionAdapter.ts';
import { requirePlain } from '../engine/plainData.ts';
import type { StoreAdapter } from '../store/storeAdapter.ts';
import { replayedStore } from '../store/storeSession.ts';

/** An adapter of an app: of its decoder and reducer, of its store, or of a session that the app keeps in its own state. */
export type Adapter = AppAdapter | StoreAdapter | SessionAdapter;

/** What an adapter needs, and whether it has it. */
type Part = readonly [what: string, isFine: boolean];

/** The parts that are functions; a part with a question mark may be missing. */
const APP_PARTS = 'decode kind reduce tick? reduceAction? display?';
const SESSION_PARTS =
  'kind reduce take next release endsSession? failedRelease? typeOf? waiting? notification? ownState? display?';
const STORE_PARTS = 'createStore onFrame onAction? onOpen? onClose? state? describe? display?';

/**
 * Returns the adapter that a module exports as `adapter` or as its default.
 * @throws {TypeError} when it has none, or when a part of it is missing or has the wrong type.
 */
export function checkAdapter(loaded: unknown): Adapter {
  const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
  if (!isJsonObject(adapter))
    throw new TypeError('exports no adapter: neither `adapter` nor a default export');
  const isSession = 'take' in adapter;
  const isStore = 'createStore' in adapter;
  const names = isStore ? STORE_PARTS : isSession ? SESSION_PARTS : APP_PARTS;
  const functions = names.split(' ').map((part): Part => {
    const name = part.replace('?', '');
    const isOptional = name !== part;
    const isFine = (isOptional && adapter[name] === undefined) || typeof adapter[name] === 'function';
    return [`${name} (a function${isOptional ? ', or nothing' : ''})`, isFine];
  });
  const { name, initialState, pane, redact, globals } = adapter;
  const parts: readonly Part[] = [
    ['name (a string)', typeof name === 'string'],
    ...functions,
    ['initialState', isStore || 'initialState' in adapter],
    ['initialState with counts, queue and connection', !isSession || isSessionState(initialState)],
    ['globals (true, or nothing)', globals === undefined || globals === true],
    ['pane (the path of a module, or nothing)', pane === undefined || typeof pane === 'string'],
    ['redact ({ codes: a list of names })', redact === undefined || areRules(redact)],
  ];
  const problems = parts.flatMap(([what, isFine]) => (isFine ? [] : what));
  if (problems.length > 0) throw new TypeError(`its adapter needs ${problems.join(', ')}`);
  // What the functions do is seen when they run.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const checked = adapter as unknown as Adapter;
  if (isStoreAdapter(checked)) return checked;
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
export const replayedApp = (adapter: Adapter): Replayed =>
  isStoreAdapter(adapter)
    ? replayedStore(adapter)
    : {
        adapter: 'take' in adapter ? plainAdapter(adapter) : sessionOf(plainAdapter(adapter)),
        app: adapter.name,
      };

/** Returns whether an adapter is one of a store. */
export const isStoreAdapter = (adapter: Adapter): adapter is StoreAdapter => 'createStore' in adapter;

/**
 * Returns an adapter whose functions throw a {@link PlainDataError} when a state or a display is not plain data. Objects are checked once, so the
 * cost depends on what is new.
 */
export function plainAdapter<A extends AppAdapter | SessionAdapter>(adapter: A): A {
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
