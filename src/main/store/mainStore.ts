import { type Middleware, type Reducer, combineReducers, configureStore, isAction } from '@reduxjs/toolkit';
import { type PersistConfig, type PersistedState, persistReducer, persistStore } from 'redux-persist';
import { conversationStartReducer, snapshotFieldsReducer } from '#shared/store/conversation.ts';
import { DEFAULT_MIDDLEWARE, sessionMiddleware } from '#shared/store/middleware.ts';
import { isOfType } from '#shared/isOfType.ts';
import { sessionReducers } from '#shared/store/rootReducer.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/clock.ts';
import { attentionReducer } from '#shared/window/attention.ts';
import { windowsReducer } from '#shared/window/windows.ts';
import { type AccountState, accountReducer } from '../account/account.ts';
import type { AccountFile } from '../account/accountFile.ts';
import type { CaptureSink } from './captureSink.ts';
import type { Logger } from '#node/createLogger.ts';
import { forwardToWindows } from './forwardToWindows.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import { takePrivateContents } from './privateContents.ts';

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
    const persistor = persistStore(store, null, () =>
      resolve({ flush: async () => void (await persistor.flush()) }),
    );
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
