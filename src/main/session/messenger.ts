import { type Credentials, UNKNOWN_ERROR, credentialsError } from '#shared/protocol/credentials.ts';
import { type Outgoing, isWithinLimits } from '#shared/protocol/outgoing.ts';
import type { SavedSession, StartFailure } from '#shared/ipc/tools.ts';
import type { Clock } from '#shared/time/clock.ts';
import { signedIn, signedOut } from '../account/account.ts';
import { accountUrl } from '../account/accountUrl.ts';
import { requestAccount } from '../account/requestAccount.ts';
import type { CaptureSink } from '../store/captureSink.ts';
import type { Logger } from '#log/createLogger.ts';
import type { Platform } from './platform.ts';
import type { StartGuard } from './startGuard.ts';
import { type Session, UNAUTHORIZED, launchSession } from './session.ts';
import type { AccountKeeper, MainStore } from '../store/mainStore.ts';

interface Options {
  readonly platform: Platform;
  readonly store: MainStore;
  readonly keeper: AccountKeeper;
  readonly clock: Clock;
  readonly log: Logger;
  readonly capture: CaptureSink;
  readonly startGuard: StartGuard;
  /** Tells the windows that the conversation is not opened, because starts failed; `null`: no longer. */
  readonly tellStartFailure: (failure: StartFailure | null) => void;
  /** Tells the windows who is signed in: the `account` channel. */
  readonly tellAccount: (account: string | false, reason?: string) => void;
  /** Shows a sentence to the person. */
  readonly notify: (words: string) => void;
}

/** Who is signed in, and their session. */
export interface Messenger {
  /**
   * Launches a session when an account is stored (spec §3.1, app start), unless the program ended during each of the last
   * two starts: then the windows offer what a person can do.
   */
  start(): void;
  /** Launches the session that `start` did not. */
  tryAgain(): void;
  /** Moves what the failed start received to the captures. Never rejects. */
  saveReceived(): Promise<SavedSession>;
  /** The account identifier, or `false`. */
  account(): string | false;
  /** Signs in; resolves to the text that the form shows, or to nothing once the session is launched. */
  signIn(credentials: Credentials): Promise<string | undefined>;
  /** Signs out; the reason is shown to the person. */
  signOut(reason?: string): Promise<void>;
  send(outgoing: Outgoing): void;
  reconnect(): void;
  /** The machine was asleep: whether the connection is still good is found out at once. */
  onResume(): void;
  /** The program ends; the account stays. */
  quit(): void;
}

/**
 * Account and session in step (spec §3.1):
 *
 *     logged out ── signIn: account stored, windows told, session launched ──▶ logged in
 *          ▲                                                                       │
 *          └── signOut or `unauthorized`: account deleted, windows told, session ended
 */
export function createMessenger(options: Options): Messenger {
  const { platform, store, keeper, clock, log, tellAccount, startGuard } = options;
  let session: Session | undefined;
  let isSigningIn = false;

  const account = () => store.getState().account.id ?? false;
  const onUnauthorized = () => void signOut(UNAUTHORIZED);
  const launch = (url: string) => {
    startGuard.launching();
    session = launchSession({ ...options, url, onRecord: startGuard.record, onUnauthorized });
    log.info('session launched');
  };
  const launchStored = () => {
    const url = storedUrl(account(), platform);
    if (session === undefined && url !== undefined) launch(url);
  };
  const signOut = async (reason?: string) => {
    if (account() === false) return;
    store.dispatch(signedOut());
    await keeper.flush();
    tellAccount(false, reason);
    session?.end(1000, 'logout');
    session = undefined;
    startGuard.reset();
    log.info('signed out');
  };
  const signIn = async (credentials: Credentials) => {
    const admission = await askForAccount(credentials, { platform, clock, log });
    if ('error' in admission) return admission.error;
    store.dispatch(signedIn({ id: admission.account, platform: platform.name }));
    await keeper.flush();
    tellAccount(admission.account);
    launch(admission.url);
    return undefined;
  };

  return {
    ...guardedStart(options, () => account() !== false, launchStored),
    account,
    signOut,
    async signIn(credentials) {
      if (isSigningIn || account() !== false) return UNKNOWN_ERROR;
      isSigningIn = true;
      try {
        return await signIn(credentials);
      } finally {
        isSigningIn = false;
      }
    },
    send: (outgoing) => sendWithinLimits(outgoing, session, log),
    reconnect: () => session?.reconnect(),
    onResume() {
      log.info('the machine was asleep');
      session?.onResume();
    },
    quit() {
      session?.end(1001, '');
      session = undefined;
      startGuard.settled();
    },
  };
}

const storedUrl = (account: string | false, { platformUrl }: Platform) =>
  account === false ? undefined : accountUrl(platformUrl, account);

/** Starts unless earlier starts failed, and what a person can do then. */
function guardedStart(
  { startGuard, tellStartFailure, log }: Pick<Options, 'startGuard' | 'tellStartFailure' | 'log'>,
  isSignedIn: () => boolean,
  launch: () => void,
): Pick<Messenger, 'start' | 'tryAgain' | 'saveReceived'> {
  const tellFailure = () => tellStartFailure({ canSave: startGuard.canSave() });
  return {
    start() {
      if (!isSignedIn() || !startGuard.hasFailed()) return launch();
      log.error('the program ended during the last two starts: the session is not launched');
      return tellFailure();
    },
    tryAgain() {
      tellStartFailure(null);
      launch();
    },
    async saveReceived() {
      const saved = await startGuard.save();
      if (startGuard.hasFailed()) tellFailure();
      return saved;
    },
  };
}

function sendWithinLimits(outgoing: Outgoing, session: Session | undefined, log: Logger): void {
  const { category } = outgoing;
  if (!isWithinLimits(outgoing)) log.warn({ category }, 'message over the limits refused');
  else if (session === undefined) log.warn({ category }, 'not signed in: message dropped');
  else session.send(outgoing);
}

/** The platform's account for these credentials and where it connects, or the text that the form shows. */
async function askForAccount(
  credentials: Credentials,
  { platform, clock, log }: Pick<Options, 'platform' | 'clock' | 'log'>,
): Promise<{ readonly account: string; readonly url: string } | { readonly error: string }> {
  const error = credentialsError(credentials);
  if (error !== null) return { error };
  const result = await requestAccount(credentials, { apiUrl: platform.apiUrl, clock, log });
  if ('error' in result) return result;
  const url = accountUrl(platform.platformUrl, result.account);
  return url === undefined ? { error: UNKNOWN_ERROR } : { account: result.account, url };
}
