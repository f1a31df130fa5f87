import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';
import type { Logger } from 'pino';
import { z } from 'zod';
import { errorCode } from '#shared/formatText.ts';
import type { Clock } from '#shared/clock.ts';

/** A session of the host-account service: spec §2.7. */
export interface HostToken {
  readonly token: string;
  readonly username: string;
  /** The time until the session ends if it is not used before. */
  readonly lifeMs: number;
}

/** Why the service did not sign a user in. The time is how long to wait; `null` when the service gave none. */
export type HostRefusal =
  | { readonly why: 'credentials' | 'unreachable' | 'unusable' }
  | { readonly why: 'limited' | 'busy'; readonly retryAfterS: number | null };

/** The state of a session; `unknown` when the service does not answer, or cannot check the account now. */
export type HostSessionState =
  | { readonly state: 'live'; readonly lifeMs: number }
  | { readonly state: 'ended' }
  | { readonly state: 'unknown' };

/** The calls of the host-account service (spec §4.3) that the platform uses. None rejects. */
export interface HostauthClient {
  signIn(username: string, password: string): Promise<HostToken | HostRefusal>;
  /** Returns whether the session is live, and restarts its idle time. */
  me(session: Pick<HostToken, 'token' | 'username'>): Promise<HostSessionState>;
  /** Ends the session, if the service answers. */
  logOut(token: string): Promise<void>;
}

interface Options {
  readonly url: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The messenger waits for 15 s: the words arrive before. */
const SIGN_IN_MS = 13_000;
const CALL_MS = 4000;
const ANSWER_BYTES = 64 * 1024;
/** The clocks of two machines differ: a session that the service has just confirmed lives at least this long. */
const MIN_LIFE_MS = 30_000;

const expiry = z.iso.datetime().transform((text) => Math.max(MIN_LIFE_MS, Date.parse(text) - Date.now()));
const tokenSchema = z.object({ token: z.string().min(1), username: z.string(), expires_at: expiry });
const meSchema = z.object({ username: z.string(), expires_at: expiry });

/** Creates a client of the service. It logs codes and statuses only: an HTTP client's error contains the password. */
export function createHostauthClient({ url, clock, logger }: Options): HostauthClient {
  const send = createCall(url, clock);
  let isAnswering = true;
  /** Resolves to `undefined` when there is no answer. Confirmations are frequent, so an outage is logged once. */
  const call = async (request: Call): Promise<AxiosResponse<unknown> | undefined> => {
    try {
      const answer = await send(request);
      if (!isAnswering) logger.info('hostauth answers again');
      isAnswering = true;
      return answer;
    } catch (error) {
      const code = errorCode(error) ?? 'unknown';
      if (isAnswering) logger.warn({ path: request.path, code }, 'hostauth does not answer');
      isAnswering = false;
      return undefined;
    }
  };
  return {
    async signIn(username, password) {
      const body = { username, password };
      const answer = await call({ method: 'POST', path: '/auth', body, timeoutMs: SIGN_IN_MS });
      if (answer === undefined) return { why: 'unreachable' };
      const result = readSignIn(answer, username);
      if ('why' in result && result.why === 'unusable')
        logger.warn({ status: answer.status }, 'hostauth gave an unexpected answer');
      return result;
    },
    async me({ token, username }) {
      const answer = await call({ method: 'GET', path: '/me', token });
      return answer === undefined ? { state: 'unknown' } : readState(answer, username);
    },
    async logOut(token) {
      await call({ method: 'POST', path: '/logout', token });
    },
  };
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly body?: { readonly username: string; readonly password: string };
  readonly timeoutMs?: number;
}

/** Returns the function that sends a request and resolves to any answer; it rejects when there is none in time. */
function createCall(url: string, clock: Clock) {
  // A server may close a connection that is kept at the moment of the next request, which would then fail.
  const agents = {
    httpAgent: new HttpAgent({ keepAlive: false }),
    httpsAgent: new HttpsAgent({ keepAlive: false }),
  };
  return async ({ method, path, token, body, timeoutMs = CALL_MS }: Call) => {
    const deadline = new AbortController();
    const cancel = clock.after(timeoutMs, () => deadline.abort());
    try {
      return await axios.request<unknown>({
        ...agents,
        method,
        url: `${url}${path}`,
        ...(body === undefined ? {} : { data: body }),
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        signal: deadline.signal,
        // The password is sent to the configured address only.
        maxRedirects: 0,
        proxy: false,
        maxContentLength: ANSWER_BYTES,
        validateStatus: () => true,
      });
    } finally {
      cancel();
    }
  };
}

function readSignIn(answer: AxiosResponse<unknown>, username: string): HostToken | HostRefusal {
  if (answer.status === 401) return { why: 'credentials' };
  if (answer.status === 429) return { why: 'limited', retryAfterS: retryAfter(answer) };
  if (answer.status === 503) return { why: 'busy', retryAfterS: retryAfter(answer) };
  const read = tokenSchema.safeParse(answer.data);
  if (answer.status !== 200 || !read.success || read.data.username !== username) return { why: 'unusable' };
  return { token: read.data.token, username, lifeMs: read.data.expires_at };
}

function readState(answer: AxiosResponse<unknown>, username: string): HostSessionState {
  if (answer.status === 401) return { state: 'ended' };
  const read = meSchema.safeParse(answer.data);
  if (answer.status !== 200 || !read.success) return { state: 'unknown' };
  return read.data.username === username
    ? { state: 'live', lifeMs: read.data.expires_at }
    : { state: 'ended' };
}

/** Returns the seconds of `Retry-After`. */
function retryAfter({ headers }: AxiosResponse<unknown>): number | null {
  const text = String(headers['retry-after'] ?? '');
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}
