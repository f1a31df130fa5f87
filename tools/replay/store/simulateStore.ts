import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isJsonObject } from '#shared/json.ts';
import { isSameJson } from '../diff/valueDiff.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { frameBytes, frameData, isFrame } from '../engine/frames.ts';
import { deepFreeze, isObject, requirePlain } from '../engine/plainData.ts';
import { replaceProperties } from '../engine/replaceGlobals.ts';
import type { PreparedCapture } from '../engine/sessionAdapter.ts';
import { createRecordedFetch, isHttp } from './recordedFetch.ts';
import type { StoreAdapter } from './storeAdapter.ts';
import { createRandom, createVirtualTime, reportedGlobals, virtualGlobals } from './virtualTime.ts';
import { createStoreWatcher } from './watchStore.ts';

/** A step of a store. Times are milliseconds since the start of the recording. */
export interface StoreStep {
  readonly action: AppAction;
  /** When it happened. */
  readonly tick: number;
  /** The index of the record that caused it, its time, and the size of its frame. */
  readonly record: number;
  readonly at: number;
  readonly bytes: number;
  /** The number of records before it. */
  readonly after: number;
  /** The state after it. */
  readonly state: unknown;
  /** The exception with which it ended. */
  readonly thrown?: { readonly error: unknown };
}

/** What a store did with a capture. */
export interface StoreLog {
  readonly initialState: unknown;
  readonly steps: readonly StoreStep[];
  readonly warnings: readonly string[];
}

/** Is called after each step, with its number from 1. */
type OnStep = (number: number) => void;

/**
 * Runs the records of a capture through the store of an app, in virtual time:
 *
 *     timers that are due ── each with what it causes ──▶ the record ── what it causes ──▶ the next record
 *
 * Time ends with the last record. An exception is the error of a step; the rest of the capture continues.
 */
export async function simulateStore(
  adapter: StoreAdapter,
  { header, records }: Pick<PreparedCapture, 'header' | 'records'>,
  onStep?: OnStep,
): Promise<StoreLog> {
  const world = createWorld(records, Date.parse(header.startedAt), onStep);
  const { time, http, log, watcher, warn, random } = world;
  const given = { random, fetch: http.fetch };
  const restore = replaceProperties(adapter.globals ? virtualGlobals(time, given) : reportedGlobals(warn));
  const stopCatching = catchRejections((error) => world.fail(error, 'promise'));
  try {
    const store = adapter.createStore({ clock: time.clock, enhancer: watcher.enhancer, ...given });
    watcher.watch(store);
    log.begin(stateReader(adapter, store));
    await world.turn('createStore', undefined, () => undefined);
    for (const [index, record] of records.entries()) {
      await world.passTo(record.t);
      log.taken = index + 1;
      const by = isHttp(record) ? (http.causeOf(record) ?? index) : index;
      const handled = isHttp(record)
        ? { from: 'fetch', run: () => http.deliver(record) }
        : handlerOf(record, { adapter, store, warn });
      if (handled !== undefined) await world.turn(handled.from, by, handled.run);
    }
    return { initialState: log.initialState, steps: log.steps, warnings: [...world.warnings] };
  } finally {
    watcher.end();
    stopCatching();
    restore();
  }
}

/** Creates what surrounds a store: its time, its server and the log of its steps. */
function createWorld(records: readonly CaptureRecord[], startedAt: number, onStep?: OnStep) {
  const warnings = new Set<string>();
  const warn = (text: string) => void warnings.add(text);
  /** The record that causes what happens now. */
  let cause: number | undefined;
  const causing = () => cause;
  const time = createVirtualTime(startedAt, causing);
  const onUnknown = (request: string) => warn(`it has no answer for ${request}`);
  const http = createRecordedFetch(records, causing, onUnknown);
  const log = createLog(records, () => ({ tick: time.now(), cause }), onStep);
  const watcher = createStoreWatcher(log.add);
  const fail = (error: unknown, from: string) => log.add(watcher.actionOf(error) ?? { type: from }, error);
  const activity = () => log.steps.length + time.started() + http.count();
  /** Runs code of the app, and waits until it waits for time or for an answer. */
  const turn = async (from: string, by: number | undefined, run: () => unknown) => {
    cause = by;
    try {
      Promise.resolve(run()).catch((error: unknown) => fail(error, from));
    } catch (error) {
      fail(error, from);
    }
    for (let before = -1; before !== activity();) {
      before = activity();
      await nextTask();
    }
    watcher.forget();
  };
  /** Runs the timers that are due until a time, and advances the time to it. */
  const passTo = async (until: number) => {
    for (let timer = time.next(until); timer !== undefined; timer = time.next(until))
      await turn('timer', timer.cause, timer.run);
    time.reach(until);
  };
  return { time, http, log, watcher, random: createRandom(), warnings, warn, fail, turn, passTo };
}

interface Handling {
  readonly adapter: StoreAdapter;
  readonly store: unknown;
  readonly warn: (text: string) => void;
}

/** Returns the function of the app that handles a record, and its name; `undefined` when none does. */
function handlerOf(record: CaptureRecord, { adapter, store, warn }: Handling) {
  if (!isKnown(record)) return undefined;
  switch (record.type) {
    case 'recv': {
      const { socket = 1 } = record;
      return { from: 'onFrame', run: () => adapter.onFrame(store, frameData(record), { socket }) };
    }
    case 'open':
      return { from: 'onOpen', run: () => adapter.onOpen?.(store, { socket: record.socket ?? 1 }) };
    case 'close': {
      const { socket = 1, code, reason } = record;
      return { from: 'onClose', run: () => adapter.onClose?.(store, { socket, code, reason }) };
    }
    case 'action': {
      const { action } = record;
      const run = () => {
        const { dispatch } = Object(store);
        if (adapter.onAction !== undefined) return adapter.onAction(store, action);
        if (typeof dispatch === 'function') return Reflect.apply(dispatch, store, [action]);
        return warn('its actions are not replayed, because the adapter has no onAction');
      };
      return { from: 'onAction', run };
    }
    case 'send':
    case 'launch':
    case 'release':
    case 'http':
    case 'end':
      return undefined;
    default:
      return record satisfies never;
  }
}

type Now = () => { readonly tick: number; readonly cause: number | undefined };

/** Creates the log of a simulation. States are frozen: code that changes one throws. */
function createLog(records: readonly CaptureRecord[], now: Now, onStep?: OnStep) {
  const steps: StoreStep[] = [];
  let read: (() => unknown) | undefined;
  let state: unknown;
  const log = {
    steps,
    initialState: undefined as unknown,
    /** The number of records that have been taken. */
    taken: 0,
    /** Begins with the state that the store has now. */
    begin(readState: () => unknown) {
      read = readState;
      state = readState();
      log.initialState = state;
    },
    add(action: AppAction, ...thrown: [error: unknown] | []) {
      // What the store does while it is created is its initial state. A step belongs to a record.
      if (read === undefined || records.length === 0) return;
      const { tick, cause } = now();
      // A step without a record that caused it, such as one of an interval that runs from the start, belongs to the last one.
      const record = cause ?? Math.max(0, log.taken - 1);
      const from = cause === undefined ? undefined : records[cause];
      const bytes = from && isFrame(from, 'recv') ? frameBytes(from) : 0;
      let failure = thrown.length > 0 ? { error: thrown[0] } : undefined;
      try {
        state = read();
      } catch (error) {
        failure ??= { error };
      }
      const place = { tick, record, at: from?.t ?? tick, bytes, after: log.taken };
      steps.push({ action, ...place, state, ...(failure && { thrown: failure }) });
      onStep?.(steps.length);
    },
  };
  return log;
}

/** Returns a function that reads the state of a store. A state with the same content has the same reference. */
function stateReader(adapter: StoreAdapter, store: unknown): () => unknown {
  const [known, frozen] = [new WeakSet<object>(), new WeakSet<object>()];
  let last: { readonly source: unknown; readonly state: unknown } | undefined;
  return () => {
    const source: unknown = adapter.state === undefined ? Object(store).getState() : adapter.state(store);
    if (last !== undefined && last.source === source) return last.state;
    const state = adapter.state === undefined ? withoutFunctions(source) : source;
    requirePlain(state, 'state', known);
    if (last !== undefined && state !== source && isSameJson(last.state, state))
      last = { source, state: last.state };
    else last = { source, state };
    return isObject(last.state) ? deepFreeze(last.state, frozen) : last.state;
  };
}

/** Returns a state without the functions that a store of zustand has in it. */
const withoutFunctions = (state: unknown): unknown =>
  isJsonObject(state) && Object.values(state).some((value) => typeof value === 'function')
    ? Object.fromEntries(Object.entries(state).filter(([, value]) => typeof value !== 'function'))
    : state;

/** The functions of the platform, which the app's virtual time can replace. */
const { setImmediate } = globalThis;
const channel = typeof setImmediate === 'function' ? undefined : new MessageChannel();
const waiting: (() => void)[] = [];
channel?.port2.addEventListener('message', () => waiting.shift()?.());
channel?.port2.start();

/** Resolves in the next task, when all promises that are ready have been handled. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    if (channel === undefined) setImmediate(resolve);
    else {
      waiting.push(resolve);
      channel.port1.postMessage(undefined);
    }
  });

/** Receives the rejections that no code of the app handles, instead of the process; returns a function that ends this. */
function catchRejections(onError: (error: unknown) => void): () => void {
  if (typeof process === 'undefined') {
    const listener = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      onError(event.reason);
    };
    globalThis.addEventListener('unhandledrejection', listener);
    return () => globalThis.removeEventListener('unhandledrejection', listener);
  }
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', onError);
  return () => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  };
}
