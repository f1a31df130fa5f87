import type { Logger } from '#node/createLogger.ts';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import { type Credentials, UNKNOWN_ERROR, credentialsError } from '#shared/protocol/credentials.ts';
import type { Clock } from '#shared/clock.ts';
import { type SignInError, UNKNOWN_FAILURE, requestAccount } from '../account/requestAccount.ts';
import { accountUrl } from './accountUrl.ts';
import type { Platform } from './platform.ts';

/** An account that the platform gave, and the address of its WebSocket. */
interface Admission {
  readonly account: string;
  readonly url: string;
}

interface Options {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The sign-ins of all windows. */
export interface SignIns {
  /** Signs in; resolves to the failure, or to `undefined` on success. */
  signIn(credentials: Credentials): Promise<SignInError | undefined>;
  /** Cancels the sign-in in progress, which fails. */
  cancel(): void;
  /** Cancels the sign-in in progress, and refuses others while the task runs. */
  refuseDuring<T>(task: () => Promise<T>): Promise<T>;
}

const BUSY: SignInError = { error: UNKNOWN_ERROR, code: 'busy' };
/** The failure of a sign-in that was cancelled. */
const CANCELLED: SignInError = { error: UNKNOWN_ERROR, code: 'cancelled' };

/**
 * Creates the sign-ins: one at a time, and no call within 2000 ms of one that failed, in whatever windows (spec §4.1). After a success the next call follows a
 * sign-out and new input, after which the form itself waits.
 *
 * @param accept stores the account and launches its session, unless the signal is aborted meanwhile.
 */
export function createSignIns(
  { platform, clock, log }: Options,
  accept: (admission: Admission, signal: AbortSignal) => Promise<void>,
): SignIns {
  let current: AbortController | undefined;
  let refusing = 0;
  const pause = createPause(clock);

  const cancel = () => {
    current?.abort();
    current = undefined;
  };
  const call = async (credentials: Credentials, signal: AbortSignal) => {
    const error = credentialsError(credentials);
    if (error !== null) return { error, code: 'invalid' } as const;
    await pause.waitForEnd(signal);
    if (signal.aborted) return CANCELLED;
    pause.start();
    const result = await requestAccount(credentials, { ...platform, clock, log, signal });
    if (signal.aborted) return CANCELLED;
    if ('error' in result) return result;
    pause.end();
    const url = accountUrl(platform.platformUrl, result.account);
    if (url === undefined) return UNKNOWN_FAILURE;
    await accept({ account: result.account, url }, signal);
    return signal.aborted ? CANCELLED : undefined;
  };
  return {
    async signIn(credentials) {
      if (current !== undefined || refusing > 0) return BUSY;
      const controller = new AbortController();
      current = controller;
      try {
        return await call(credentials, controller.signal);
      } finally {
        if (current === controller) current = undefined;
      }
    },
    cancel,
    async refuseDuring(task) {
      cancel();
      refusing += 1;
      try {
        return await task();
      } finally {
        refusing -= 1;
      }
    },
  };
}

/** Creates the pause of 2000 ms after a call. */
function createPause(clock: Clock) {
  let endsAt = clock.now();
  return {
    start() {
      endsAt = clock.now() + FORM_DEBOUNCE_MS;
    },
    end() {
      endsAt = clock.now();
    },
    /** Resolves when the pause is over, or the signal is aborted. */
    waitForEnd: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const rest = endsAt - clock.now();
        if (rest <= 0) return resolve();
        const cancelTimer = clock.after(rest, resolve);
        signal.addEventListener('abort', () => {
          cancelTimer();
          resolve();
        });
      }),
  };
}
