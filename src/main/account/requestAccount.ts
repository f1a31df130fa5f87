import axios, { AxiosError, isAxiosError } from 'axios';
import type { SignInRefusal } from '#shared/actions/mainActions.ts';
import { SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import { tryParseJson } from '#shared/json.ts';
import { type Credentials, NO_RESPONSE_ERROR, UNKNOWN_ERROR } from '#shared/protocol/credentials.ts';
import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#node/createLogger.ts';

/** Why a sign-in failed: the text for the form, and its code for the log. */
export interface SignInError {
  readonly error: string;
  readonly code: SignInRefusal;
}

/** The result of a sign-in. */
export type SignInResult = { readonly account: string } | SignInError;

/** Any failure without a text of the platform. */
export const UNKNOWN_FAILURE: SignInError = { error: UNKNOWN_ERROR, code: 'failed' };

interface Options {
  readonly apiUrl: string;
  /** Shows a platform of this data folder that its owner registers. */
  readonly ownerSecret?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** Cancels the request, which then fails. */
  readonly signal?: AbortSignal;
}

const ANSWER_BYTES = 1024 * 1024;

/**
 * Requests the account of these credentials from the platform: `POST {api_url}/auth` (spec §4.1, §7). Never rejects.
 * Logs only the code and status of a failure, because an HTTP client's error contains the password.
 */
export async function requestAccount(credentials: Credentials, options: Options): Promise<SignInResult> {
  const deadline = new AbortController();
  const cancel = options.clock.after(SIGN_IN_TIMEOUT_MS, () => deadline.abort());
  try {
    const signals = [deadline.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const account = textOf(await post(credentials, options, AbortSignal.any(signals)));
    return account === '' ? UNKNOWN_FAILURE : { account };
  } catch (error) {
    const code = isAxiosError(error) ? error.code : undefined;
    const status = isAxiosError(error) ? error.response?.status : undefined;
    options.log.warn({ code, status }, 'sign-in failed');
    return signInError(error);
  } finally {
    cancel();
  }
}

/** Returns the body as text: a body of digits is also an account, so it is not parsed. */
async function post(
  { email, password, name }: Credentials,
  { apiUrl, ownerSecret }: Options,
  signal: AbortSignal,
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
