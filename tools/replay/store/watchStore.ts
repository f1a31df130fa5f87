import { isJsonObject } from '#shared/json.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { isAction } from '../engine/appSession.ts';
import type { StoreDeps } from './storeAdapter.ts';

type Dispatch = (...given: unknown[]) => unknown;

/** The parts of a store that the tool uses: Redux has all of them, zustand has no `dispatch`. */
interface WatchedStore {
  getState(): unknown;
  subscribe(listener: () => void): unknown;
  dispatch?: Dispatch;
}

/** The Redux stores of all replays: one that had been used would begin with the state of another replay. A store of zustand can have its first state again. */
const created = new WeakSet<object>();

/**
 * Creates a watcher of one store. It reports each notification of the store as a step, with the action that was being dispatched.
 *
 * A Redux store that was created with the enhancer shows each action that reaches its reducer. Otherwise, the actions are those that are dispatched
 * through the store or by thunks: a step of one that a middleware dispatches has the action that the middleware handles. A step without an action has
 * the type `setState`, of Redux `dispatch`, and what has changed.
 */
export function createStoreWatcher(onStep: (action: AppAction) => void) {
  const running: AppAction[] = [];
  let isEnhanced = false;
  let stop: unknown;
  let failed: { readonly error: unknown; readonly action: AppAction } | undefined;

  const dispatching = (dispatch: Dispatch) =>
    watchedDispatch(dispatch, running, (error, action) => (failed ??= { error, action }));
  const watch = (store: WatchedStore) => {
    const type = store.dispatch === undefined ? 'setState' : 'dispatch';
    let before = store.getState();
    stop = store.subscribe(() => {
      const after = store.getState();
      onStep(running.at(-1) ?? { type, payload: changedFields(before, after) });
      before = after;
    });
  };
  const enhancer: StoreDeps['enhancer'] = (next) => {
    const create = (...given: never[]): object => {
      const store = next(...given);
      if (!isStore(store)) return store;
      isEnhanced = true;
      watch(store);
      return { ...store, ...(store.dispatch && { dispatch: dispatching(store.dispatch) }) };
    };
    // The result of the enhancer has the form of what it gets.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return create as typeof next;
  };
  return {
    enhancer,
    /**
     * Watches the store that the app has created.
     * @throws {TypeError} when it is no store.
     */
    watch(store: unknown): void {
      if (isEnhanced) return;
      if (!isStore(store))
        throw new TypeError('createStore() must return a store with getState and subscribe');
      if (created.has(store))
        throw new TypeError(
          'createStore() returned the same store twice; it must create a new one each time',
        );
      watch(store);
      if (store.dispatch === undefined) return;
      created.add(store);
      store.dispatch = dispatching(store.dispatch);
    },
    /** Returns the action whose dispatch threw an error. */
    actionOf: (error: unknown): AppAction | undefined =>
      failed?.error === error ? failed?.action : undefined,
    forget: () => void (failed = undefined),
    /** Ends the watching: the app may use the store again in the next replay. */
    end: () => void (typeof stop === 'function' && stop()),
  };
}

/**
 * Wraps the function that dispatches actions, also that of each thunk.
 * @param running the actions that are being dispatched, the innermost last.
 */
function watchedDispatch(
  dispatch: Dispatch,
  running: AppAction[],
  onFailed: (error: unknown, action: AppAction) => void,
): Dispatch {
  const watchedThunk = (thunk: object) => {
    const watched = (inner: unknown, ...rest: unknown[]): unknown => {
      const seen = typeof inner === 'function' ? watchedDispatch(calling(inner), running, onFailed) : inner;
      return Reflect.apply(Object(thunk), undefined, [seen, ...rest]);
    };
    return Object.assign(watched, thunk);
  };
  return (action, ...rest) => {
    if (typeof action === 'function') return dispatch(watchedThunk(action), ...rest);
    if (!isAction(action)) return dispatch(action, ...rest);
    running.push(action);
    try {
      return dispatch(action, ...rest);
    } catch (error) {
      onFailed(error, action);
      throw error;
    } finally {
      running.pop();
    }
  };
}

const calling =
  (run: object): Dispatch =>
  (...given) =>
    Reflect.apply(Object(run), undefined, given);

const isStore = (value: unknown): value is WatchedStore => {
  const { getState, subscribe, dispatch } = Object(value);
  return (
    typeof getState === 'function' &&
    typeof subscribe === 'function' &&
    (dispatch === undefined || typeof dispatch === 'function')
  );
};

/** Returns the fields of an object that have another value than before, without functions; a value that is no object is returned whole. */
function changedFields(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== before[name] && typeof value !== 'function',
  );
  return Object.fromEntries(changed);
}
