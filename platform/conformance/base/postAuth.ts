import { errorCode } from '#shared/errorCode.ts';
import { SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';

/** The answer to a sign-in request, or the code of the error when there is none. */
export type AuthAnswer =
  | { readonly status: number; readonly body: string }
  | { readonly status: null; readonly code: string };

/** Sends `POST {api_url}/auth` with a body, as the client does: no redirect is followed, and an answer may take 15 s. */
export async function postAuth(apiUrl: string, body: string): Promise<AuthAnswer> {
  try {
    const response = await fetch(`${apiUrl}/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = cause instanceof Error ? cause.message : 'no answer';
    return { status: null, code: errorCode(cause) ?? reason };
  }
}

/** Returns whether the platform accepted the request. */
export const isAccepted = ({ status }: AuthAnswer): boolean =>
  status !== null && status >= 200 && status < 300;

/** Returns an answer in words, without its body: that may be an account identifier. */
export function describeAnswer(answer: AuthAnswer): string {
  if (answer.status === null) return `no answer (${answer.code})`;
  return `status ${answer.status}, ${answer.body.trim() === '' ? 'without a text' : 'with a text'}`;
}

/** Returns the account identifier of an accepted answer, as the client reads it: the text, or the value of a JSON string. */
export function accountOf(answer: AuthAnswer): string {
  if (answer.status === null) return '';
  const value = tryParseJson(answer.body);
  return typeof value === 'string' ? value : answer.body;
}
