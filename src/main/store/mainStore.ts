import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/channels.ts';
import type { Clock } from '#shared/clock.ts';
import { isJsonObject } from '#shared/json.ts';
import {
  type Middleware,
  type Reducer,
  combineReducers,
  configureStore,
  isAction,
  type Action,
  type ListenerMiddlewareInstance,
  createListenerMiddleware,
  type StoreEnhancer,
  legacy_createStore,
} from '@reduxjs/toolkit';
import { ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
import { type PersistConfig, type PersistedState, persistReducer, persistStore } from 'redux-persist';
import type { Logger } from '#node/createLogger.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import type { PrivateMeta } from '#shared/actions/defineAction.ts';
import { sessionEnded, sessionLaunched, updateApplied, heartbeat } from '#shared/actions/sessionActions.ts';
import type { KnownRecord } from '#shared/capture/captureFormat.ts';
import { isOfType } from '#shared/isOfType.ts';
import type { Update, FrameError } from '#shared/protocol/update.ts';
import { conversationStartReducer, snapshotFieldsReducer } from '#shared/store/conversationSlices.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware, sequenceNumber } from '#shared/store/sessionMiddleware.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { attentionReducer, windowsReducer } from '#shared/store/openWindows.ts';
import { type AccountState, accountReducer, type AccountFile } from './accountFile.ts';
import { attemptSend, errorFields, UNEXPECTED_ERROR } from '../base/handleUncaughtErrors.ts';
import { actionForWindows, TOO_LONG_FOR_WINDOWS } from './actionForWindows.ts';

interface Options {
  readonly clock: Clock;
  readonly accountFile: AccountFile;
  /** The platform in use; a stored account of another platform is ignored (contract §2). */
  readonly platform: string;
  readonly listeners: { readonly middleware: Middleware };
  /** Receives the actions that a capture contains. */
  readonly capture: CaptureSink;
  readonly log: Logger;
}

/** The slices of main, without the persisted account. */
export const mainReducers = {
  ...sessionReducers,
  conversationStart: conversationStartReducer,
  snapshotFields: snapshotFieldsReducer,
  attention: attentionReducer,
  windows: windowsReducer,
};

/**
 * Creates main's store: a session's slices, the persisted account, and the forwarding to the windows. The order of the
 * middleware matters: the private contents are taken off first; listeners are before the others, so that they run after the reducers; the numbering is innermost.
 */
export function createMainStore({ clock, accountFile, platform, listeners, capture, log }: Options) {
  const persistence: PersistConfig<AccountState> & { readonly deserialize: false } = {
    key: 'account',
    keyPrefix: '',
    storage: accountFile,
    serialize: false,
    deserialize: false,
    timeout: 0,
    migrate: async (stored) => (isFromPlatform(platform, stored) ? stored : undefined),
  };
  const [queue, ...others] = sessionMiddleware(clock, (late) => capture.record({ type: 'release', ...late }));
  const store = configureStore({
    reducer: combineReducers({
      ...mainReducers,
      account: exceptUpdates(persistReducer(persistence, accountReducer)),
    }),
    middleware: (defaults) =>
      defaults(DEFAULT_MIDDLEWARE)
        .prepend(takePrivateContents, listeners.middleware)
        .concat(captureActions(capture, queue.catchUp), queue, ...others),
    enhancers: (defaults) => defaults({ autoBatch: false }).concat(forwardToWindows(log)),
  });
  return Object.assign(store, { catchUp: queue.catchUp });
}

/** Returns a reducer that updates do not reach: redux-persist copies its state at each action, to find that nothing changed. */
const exceptUpdates =
  <S>(reducer: Reducer<S>): Reducer<S> =>
  (state, action) =>
    state !== undefined && isOfType(action, updateApplied) ? state : reducer(state, action);

const isFromPlatform = (platform: string, stored: PersistedState) =>
  stored !== undefined && 'platform' in stored && stored.platform === platform;

/** Main's store. */
export type MainStore = ReturnType<typeof createMainStore>;

/** The state of main's store. */
export type MainState = ReturnType<MainStore['getState']>;

/** The stored account. */
export interface AccountPersistor {
  /** Resolves when the current account is in its file. */
  flush(): Promise<void>;
}

/** Loads the stored account into the store and stores every later change. Resolves when it was loaded. */
export const persistAccount = (store: MainStore): Promise<AccountPersistor> =>
  new Promise((resolve) => {
    const flush = async () => void (await persistor.flush());
    // The account counts as signed in when it is saved, also one that was read: a sign-out before that would leave its file.
    const persistor = persistStore(store, null, () => resolve(flush().then(() => ({ flush }))));
  });

/**
 * Records the starts and ends of sessions, and the actions that the list of actions names (`src/shared/actions`), each before it is reduced:
 * what follows from it is recorded after it.
 * @param catchUp releases the update that is due, and returns the time (`queueMiddleware`).
 */
const captureActions =
  (sink: CaptureSink, catchUp: () => number): Middleware =>
  () =>
  (next) =>
  (action) => {
    if (isAction(action) && isRecorded(action.type)) sink.action(action, catchUp());
    const result = next(action);
    if (isOfType(action, sessionLaunched)) sink.launched(action.payload.launchedAt);
    if (isOfType(action, sessionEnded)) sink.ended();
    return result;
  };

/** The private contents of actions, by the action without them. */
const contents = new WeakMap<object, unknown>();

/**
 * Takes the private contents off each action: credentials, bytes, a message on its way, settings of the assistant. Is the outermost middleware of main's store, so the
 * listeners, the recorder, the reducers and the windows never receive `meta.private`. A listener takes them with `privateOf`.
 */
export const takePrivateContents: Middleware = () => (next) => (action) => {
  if (!isJsonObject(action) || !isJsonObject(action['meta']) || !('private' in action['meta']))
    return next(action);
  const { private: taken, ...meta } = action['meta'];
  const open = { ...action, meta };
  contents.set(open, taken);
  return next(open);
};

/** Returns the private contents of a dispatched action; `undefined` for an action that was not dispatched with any. */
export const privateOf = <S>(action: { readonly meta: PrivateMeta<S> }): S | undefined =>
  // The contents of an action have the type that its creator gave them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  contents.get(action) as S | undefined;

/** A source of records that can wait. */
export interface Source {
  pause(): void;
  resume(): void;
}

/** Receives what happens in a session, at the moment when it happens (contract §6). */
export interface CaptureSink {
  /** Receives a recorded action at any time, also outside of a session; `now` is its time, of the clock. */
  action(action: Action, now: number): void;
  /** A session was launched: the records that follow belong to it, and their time counts from `launchedAt`, a time of the clock. */
  launched(launchedAt: number): void;
  /**
   * Receives a record of a session, with its time since the launch; outside of a session it is ignored.
   * @param update the decoded update of a received frame; `undefined` for every other record.
   */
  record(record: KnownRecord, update?: Update | FrameError): void;
  /** Pauses a source of records while the session's file cannot take more, so that nothing is lost; until the session ends. */
  pauseWhileFull(source: Source): void;
  /** The session has ended; its last action was received before. */
  ended(): void;
}

/** The listener middleware of main: effects run here, never in reducers. */
export type Listeners = ListenerMiddlewareInstance<ReturnType<MainStore['getState']>, MainStore['dispatch']>;

/**
 * Creates the listeners. An error in one listener is logged and shown in the windows, as any unexpected error; the others still run.
 * @param note shows a sentence in every window.
 */
export const createListeners = (log: Logger, note: (text: string) => void): Listeners =>
  createListenerMiddleware({
    onError(error, { raisedBy }) {
      log.error({ raisedBy, ...errorFields(error) }, 'an error in a listener');
      attemptSend(log, 'note', () => note(UNEXPECTED_ERROR));
    },
  });

/**
 * Forwards actions from main to the windows, and never back: electron-redux sends each numbered action, right after it was
 * reduced, in the form for windows. An excluded window drops them (`excludeWindow`). Its listeners for actions from a
 * window and for blocking state requests are removed. An action that cannot be forwarded is logged; the windows notice the
 * missing number and fetch the state.
 */
export const forwardToWindows =
  (log: Logger): StoreEnhancer =>
  (createStore) =>
  (reducer, preloaded) => {
    const store = createStore(reducer, preloaded);
    // With an empty store, electron-redux does nothing but forward.
    const { dispatch: send } = stateSyncEnhancer()(legacy_createStore)(() => null);
    ipcMain.removeAllListeners(SYNC_ACTION);
    ipcMain.removeAllListeners(SYNC_STATE_BLOCKING);
    const forward = (action: Action) =>
      attemptSend(log, SYNC_ACTION, () =>
        send(actionForWindows(action, () => log.warn(TOO_LONG_FOR_WINDOWS))),
      );
    return {
      ...store,
      dispatch(action) {
        const reduced = store.dispatch(action);
        if (sequenceNumber(action) !== undefined || isOfType(action, heartbeat)) forward(action);
        return reduced;
      },
    };
  };
