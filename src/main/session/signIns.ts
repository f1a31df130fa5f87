import axios, { AxiosError, isAxiosError } from 'axios';
import type { Logger } from '#node/createLogger.ts';
import type { SignInRefusal } from '#shared/actions/mainActions.ts';
import type { Clock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { FORM_DEBOUNCE_MS, SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import {
  type Credentials,
  credentialsError,
  NO_RESPONSE_ERROR,
  UNKNOWN_ERROR,
} from '#shared/protocol/credentials.ts';
import { type Environment, type Settings, SettingsError } from '#shared/settings.ts';

interface Options {
  readonly platform: Platform;
  readonly clock: Clock;
  readonly log: Logger;
}

const BUSY: SignInError = { error: UNKNOWN_ERROR, code: 'busy' };
/** The failure of a sign-in that was cancelled. */
const CANCELLED: SignInError = { error: UNKNOWN_ERROR, code: 'cancelled' };

/**
 * Creates the sign-ins: one at a time, and no call within 2000 ms of one that failed, in whatever windows (spec §4.1). After a success the next call follows a
 * sign-out and new input, after which the form itself waits.
 *
 * @param accept stores an account that the platform gave, with the address of its WebSocket, and launches its session, unless the signal is aborted meanwhile.
 */
export function createSignIns(
  { platform, clock, log }: Options,
  accept: (admission: { account: string; url: string }, signal: AbortSignal) => Promise<void>,
) {
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
    /** Signs in; resolves to the failure, or to `undefined` on success. */
    async signIn(credentials: Credentials): Promise<SignInError | undefined> {
      if (current !== undefined || refusing > 0) return BUSY;
      const controller = new AbortController();
      current = controller;
      try {
        return await call(credentials, controller.signal);
      } finally {
        if (current === controller) current = undefined;
      }
    },
    /** Cancels the sign-in in progress, which fails. */
    cancel,
    /** Cancels the sign-in in progress, and refuses others while the task runs. */
    async refuseDuring<T>(task: () => Promise<T>): Promise<T> {
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
    start: () => void (endsAt = clock.now() + FORM_DEBOUNCE_MS),
    end: () => void (endsAt = clock.now()),
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

/** Why a sign-in failed: the text for the form, and its code for the log. */
export interface SignInError {
  readonly error: string;
  readonly code: SignInRefusal;
}

/** Any failure without a text of the platform. */
export const UNKNOWN_FAILURE: SignInError = { error: UNKNOWN_ERROR, code: 'failed' };

interface RequestOptions extends Pick<Platform, 'apiUrl' | 'ownerSecret'> {
  readonly clock: Clock;
  readonly log: Logger;
  /** Cancels the request, which then fails. */
  readonly signal: AbortSignal;
}

const ANSWER_BYTES = 1024 * 1024;

/**
 * Requests the account of these credentials from the platform: `POST {api_url}/auth` (spec §4.1, §7). Never rejects.
 * Logs only the code and status of a failure, because an HTTP client's error contains the password.
 */
export async function requestAccount(
  credentials: Credentials,
  options: RequestOptions,
): Promise<{ readonly account: string } | SignInError> {
  const deadline = new AbortController();
  const cancel = options.clock.after(SIGN_IN_TIMEOUT_MS, () => deadline.abort());
  try {
    const signal = AbortSignal.any([deadline.signal, options.signal]);
    const account = textOf(await post(credentials, { ...options, signal }));
    return account === '' ? UNKNOWN_FAILURE : { account };
  } catch (error) {
    const known = isAxiosError(error) ? error : undefined;
    options.log.warn({ code: known?.code, status: known?.response?.status }, 'sign-in failed');
    return signInError(error);
  } finally {
    cancel();
  }
}

/** Returns the body as text: a body of digits is also an account, so it is not parsed. */
async function post(
  { email, password, name }: Credentials,
  { apiUrl, ownerSecret, signal }: RequestOptions,
): Promise<unknown> {
  const { data } = await axios.post<unknown>(
    `${apiUrl}/auth`,
    { email, password, name },
    {
      signal,
      headers: ownerSecret === undefined ? {} : { authorization: `Bearer ${ownerSecret}` },
      responseType: 'text',
      // The credentials are sent to the configured address only.
      maxRedirects: 0,
      proxy: false,
      maxContentLength: ANSWER_BYTES,
    },
  );
  return data;
}

function signInError(error: unknown): SignInError {
  if (!isAxiosError(error)) return UNKNOWN_FAILURE;
  if (error.response !== undefined) {
    const text = textOf(error.response.data);
    return text === '' ? UNKNOWN_FAILURE : { error: text, code: 'refusedByPlatform' };
  }
  // A response that is too long is still a response.
  const isAnswered = error.code === AxiosError.ERR_BAD_RESPONSE;
  return isAnswered || error.request === undefined
    ? UNKNOWN_FAILURE
    : { error: NO_RESPONSE_ERROR, code: 'unreachable' };
}

/** Returns a body's text; the value of a JSON string. */
function textOf(body: unknown): string {
  if (typeof body !== 'string') return '';
  const value = tryParseJson(body);
  return typeof value === 'string' ? value : body;
}

/**
 * Returns the WebSocket address of an account: the identifier is one path segment (spec §4.2). Returns `undefined` for an
 * identifier that cannot be one: a dot segment would be another path, a lone surrogate has no encoding.
 */
export function accountUrl(platformUrl: string, account: string): string | undefined {
  if (account === '.' || account === '..' || !account.isWellFormed()) return undefined;
  return `${platformUrl}/${encodeURIComponent(account)}`;
}

/** The platform in use. The stored account is valid only for the platform with the same `name`. */
export interface Platform {
  readonly name: string;
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** The secret of the platform that this data folder started: its owner may register there. Other platforms never get one. */
  readonly ownerSecret?: string | undefined;
}

/**
 * Returns the addresses of the platform in use. `npm start` starts the built-in platform and passes its addresses and
 * its owner's secret in environment variables. Its name does not depend on its port, so that a person stays signed in over a restart.
 * @throws {SettingsError} when the built-in platform is not running.
 */
export function findPlatform({ platform }: Settings, environment: Environment): Platform {
  if (platform !== null) return { name: platform.platformUrl, ...platform };
  const {
    PARLEY_BUILT_IN_API_URL: apiUrl,
    PARLEY_BUILT_IN_PLATFORM_URL: platformUrl,
    PARLEY_BUILT_IN_SECRET: ownerSecret,
  } = environment;
  if (apiUrl === undefined || platformUrl === undefined) {
    throw new SettingsError('The built-in platform is not running: start Parley with `npm start`.');
  }
  return { name: 'built-in', apiUrl, platformUrl, ownerSecret };
}
