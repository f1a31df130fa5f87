import type { Logger } from '#node/createLogger.ts';
import {
  accountChanged,
  messageRefused,
  signedIn,
  signedOut,
  signInAccepted,
  signInRefused,
  startFailed,
} from '#shared/actions/mainActions.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/clock.ts';
import type { SavedSession } from '#shared/ipc/channels.ts';
import { type Credentials, UNKNOWN_ERROR } from '#shared/protocol/credentials.ts';
import { isWithinLimits, type Outgoing } from '#shared/protocol/outgoing.ts';
import type { AccountPersistor, CaptureSink, MainStore } from '../store/mainStore.ts';
import { launchSession, type Session, UNAUTHORIZED } from './launchSession.ts';
import { accountUrl, createSignIns, type Platform, type SignInError, UNKNOWN_FAILURE } from './signIns.ts';
import type { StartGuard } from './startGuard.ts';

interface Options {
  readonly platform: Platform;
  readonly store: MainStore;
  readonly persistor: AccountPersistor;
  readonly clock: Clock;
  /** Returns the time of day. */
  readonly today: () => Date;
  readonly log: Logger;
  readonly capture: CaptureSink;
  readonly startGuard: StartGuard;
}

/** The signed-in account and its session. */
export interface Messenger {
  /**
   * Launches a session when an account is stored (spec §3.1, app start). When the program ended during each of the last two
   * starts, it launches none, and the windows show what the person can do.
   */
  start(): void;
  /** Launches the session that `start` did not launch. */
  tryAgain(): void;
  /** Moves the frames of the failed start to the captures. Never rejects. */
  saveReceived(): Promise<SavedSession>;
  /** Returns the account identifier, or `false` when signed out. */
  account(): string | false;
  /** Signs in; resolves to the error text for the form, or to `undefined` when the session was launched. Dispatches the result in any case. */
  signIn(credentials: Credentials): Promise<string | undefined>;
  /** Signs out, and cancels a sign-in in progress. The reason is shown to the person. Resolves when the session has ended. */
  signOut(reason?: string): Promise<void>;
  /** Cancels the sign-in in progress, and refuses others while the task runs: nothing stores an account in the meantime. */
  refuseSignInsDuring<T>(task: () => Promise<T>): Promise<T>;
  send(outgoing: Outgoing): void;
  /** Connects again after a close that is not retried by itself; does nothing otherwise. */
  reconnect(): void;
  /** Checks the connection at once after the machine was asleep. */
  onResume(): void;
  /** Ends the session because the program quits; the account stays stored. */
  quit(): void;
}

/**
 * Creates the messenger. It keeps the account and the session consistent (spec §3.1):
 *
 *     logged out ── signIn: account stored, windows notified, session launched ──▶ logged in
 *          ▲                                                                       │
 *          └── signOut or `unauthorized`: account deleted, windows notified, session ended
 */
export function createMessenger(options: Options): Messenger {
  const { platform, store, persistor, log, startGuard } = options;
  const session = createSessionHolder(options, () => void signOut(UNAUTHORIZED));

  const account = () => store.getState().account.id ?? false;
  const notifyWindows = (reason: string | null = null) => {
    const id = account();
    const mark = id === false ? id : accountMark(id);
    store.dispatch(accountChanged({ account: mark, reason }));
  };
  const launchStored = () => {
    const url = storedUrl(account(), platform);
    if (session.current() === undefined && url !== undefined) session.launch(url);
  };
  const signIns = createSignIns(options, async ({ account: id, url }, signal) => {
    store.dispatch(signInAccepted());
    store.dispatch(signedIn({ id, platform: platform.name }));
    await persistor.flush();
    if (signal.aborted) return;
    notifyWindows();
    session.launch(url);
  });
  const endAccount = async (reason?: string) => {
    store.dispatch(signedOut());
    await persistor.flush();
    notifyWindows(reason);
    session.end(1000, 'logout');
    startGuard.reset();
    log.info('signed out');
  };
  let signingOut: Promise<void> = Promise.resolve();
  const signOut = (reason?: string) => {
    signIns.cancel();
    if (account() !== false) signingOut = endAccount(reason);
    return signingOut;
  };

  return {
    ...guardedStart(options, { isSignedIn: () => account() !== false, notifyWindows, launch: launchStored }),
    account,
    signIn: reportFailures(store, signIns.signIn),
    signOut,
    refuseSignInsDuring: signIns.refuseDuring,
    send: (outgoing) => sendWithinLimits(outgoing, session.current(), options),
    reconnect: () => session.current()?.reconnect(),
    onResume() {
      log.info('the machine was asleep');
      session.current()?.onResume();
    },
    quit() {
      session.end(1001, '');
      startGuard.settled();
    },
  };
}

const SIGNED_IN: SignInError = { error: UNKNOWN_ERROR, code: 'signedIn' };

/** Wraps a sign-in: it is refused when an account is signed in. Dispatches why it failed, if it did, also when it rejects; resolves to the text for the form, or rejects. */
const reportFailures =
  (store: MainStore, signIn: ReturnType<typeof createSignIns>['signIn']): Messenger['signIn'] =>
  async (credentials) => {
    let failure: SignInError | undefined = UNKNOWN_FAILURE;
    try {
      failure = store.getState().account.id === null ? await signIn(credentials) : SIGNED_IN;
      return failure?.error;
    } finally {
      if (failure !== undefined) store.dispatch(signInRefused({ code: failure.code }));
    }
  };

/** Launches and ends the one session. */
function createSessionHolder(options: Options, onUnauthorized: () => void) {
  const { startGuard, log } = options;
  let session: Session | undefined;
  return {
    current: () => session,
    launch(url: string): void {
      startGuard.launching();
      session = launchSession({ ...options, url, onRecord: startGuard.record, onUnauthorized });
      log.info('session launched');
    },
    end(code: number, reason: string): void {
      // Also without a session: what the windows showed belongs to the account.
      if (session === undefined) options.store.dispatch(sessionEnded());
      else session.end(code, reason);
      session = undefined;
    },
  };
}

const storedUrl = (account: string | false, { platformUrl }: Platform) =>
  account === false ? undefined : accountUrl(platformUrl, account);

interface Start {
  readonly isSignedIn: () => boolean;
  readonly notifyWindows: () => void;
  readonly launch: () => void;
}

/** Returns the methods that start a session, or handle the failure of earlier starts. */
function guardedStart(
  { startGuard, store, log }: Pick<Options, 'startGuard' | 'store' | 'log'>,
  { isSignedIn, notifyWindows, launch }: Start,
): Pick<Messenger, 'start' | 'tryAgain' | 'saveReceived'> {
  const notifyFailure = () => void store.dispatch(startFailed({ canSave: startGuard.canSave() }));
  return {
    start() {
      notifyWindows();
      if (!isSignedIn() || !startGuard.hasFailed()) return launch();
      log.error('the program ended during the last two starts: the session is not launched');
      return notifyFailure();
    },
    tryAgain: launch,
    async saveReceived() {
      const saved = await startGuard.save();
      if (startGuard.hasFailed()) notifyFailure();
      return saved;
    },
  };
}

function sendWithinLimits(
  outgoing: Outgoing,
  session: Session | undefined,
  { store, log }: Pick<Options, 'store' | 'log'>,
): void {
  const { category } = outgoing;
  if (!isWithinLimits(outgoing)) {
    log.warn({ category }, 'message over the limits refused');
    store.dispatch(messageRefused({ category, reason: 'overLimits' }));
  } else if (session === undefined) {
    log.warn({ category }, 'not signed in: message dropped');
    store.dispatch(messageRefused({ category, reason: 'signedOut' }));
  } else session.send(outgoing);
}

/** The parameters of the FNV-1a hash with 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Returns up to 8 hexadecimal digits by which a page recognizes the account of its stored texts. The account identifier is a credential, which is never stored
 * in a page; 32 bits do not reveal it.
 */
function accountMark(account: string): string {
  let hash = OFFSET;
  for (let at = 0; at < account.length; at++) hash = Math.imul(hash ^ account.charCodeAt(at), PRIME);
  return (hash >>> 0).toString(16);
}
