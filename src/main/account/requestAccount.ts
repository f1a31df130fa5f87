import axios, { AxiosError, isAxiosError } from 'axios';
import { SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { type Credentials, NO_RESPONSE_ERROR, UNKNOWN_ERROR } from '#shared/protocol/credentials.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Logger } from '#log/createLogger.ts';

/** What a sign-in comes to: an account identifier, or the text that the form shows. */
export type SignInResult = { readonly account: string } | { readonly error: string };

interface Options {
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const ANSWER_BYTES = 1024 * 1024;

/**
 * Asks the platform for the account of these credentials: `POST {api_url}/auth` (spec §4.1, §7). Never rejects.
 * The log gets the failure's code and status only, for an HTTP client's error holds the password.
 */
export async function requestAccount(credentials: Credentials, options: Options): Promise<SignInResult> {
  const deadline = new AbortController();
  const cancel = options.clock.after(SIGN_IN_TIMEOUT_MS, () => deadline.abort());
  try {
    const account = textOf(await post(credentials, options.apiUrl, deadline.signal));
    return account === '' ? { error: UNKNOWN_ERROR } : { account };
  } catch (error) {
    const code = isAxiosError(error) ? error.code : undefined;
    const status = isAxiosError(error) ? error.response?.status : undefined;
    options.log.warn({ code, status }, 'sign-in failed');
    return { error: errorText(error) };
  } finally {
    cancel();
  }
}

/** The body as it came: a body of digits is an account too, so nothing may parse it. */
async function post(
  { email, password, name }: Credentials,
  apiUrl: string,
  signal: AbortSignal,
): Promise<unknown> {
  const { data } = await axios.post<unknown>(
    `${apiUrl}/auth`,
    { email, password, name },
    {
      signal,
      responseType: 'text',
      // The credentials go to the address that was configured and to no other.
      maxRedirects: 0,
      proxy: false,
      maxContentLength: ANSWER_BYTES,
    },
  );
  return data;
}

function errorText(error: unknown): string {
  if (!isAxiosError(error)) return UNKNOWN_ERROR;
  if (error.response !== undefined) return textOf(error.response.data) || UNKNOWN_ERROR;
  // An answer that is too long is an answer.
  const isAnswered = error.code === AxiosError.ERR_BAD_RESPONSE;
  return isAnswered || error.request === undefined ? UNKNOWN_ERROR : NO_RESPONSE_ERROR;
}

/** A body's text; a JSON string is unquoted. */
function textOf(body: unknown): string {
  if (typeof body !== 'string') return '';
  const value = tryParseJson(body);
  return typeof value === 'string' ? value : body;
}
