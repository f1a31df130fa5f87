import type { z } from 'zod';
import {
  type Credentials,
  type Me,
  type ProblemBody,
  type SessionList,
  type Token,
  type User,
  meSchema,
  problemSchema,
  sessionListSchema,
  tokenSchema,
  userSchema,
} from './schemas.ts';

/** The service refused a call. `problem.type` says why; programs may compare it (contract §8). */
export class HostauthError extends Error {
  override readonly name = 'HostauthError';

  constructor(
    readonly problem: ProblemBody,
    /** Seconds to wait before a retry, if the service said so. */
    readonly retryAfter: number | null,
  ) {
    super(`${problem.status} ${problem.title}`);
  }
}

/** The options of `createClient`. */
interface ClientOptions {
  /** The address of the service, without a slash at the end: `http://127.0.0.1:4320`. */
  readonly baseUrl: string;
  /** Another `fetch`, for example one that trusts your own certificate. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The calls of the service (spec §4.3). Each rejects with `HostauthError` when the service refuses the call, with the error
 * of `fetch` when the service cannot be reached, and with zod's error when the answer is not one of this service.
 */
export interface Client {
  /** Exchanges the credentials of a host account for the token of a session. */
  signIn(credentials: Credentials): Promise<Token>;
  /** Returns the user of the session, and restarts its idle time. */
  me(token: string): Promise<Me>;
  /** Ends the session. */
  logout(token: string): Promise<void>;
  /** Creates a host account; `token` is an administrator's, where the service requires one. */
  createUser(credentials: Credentials, token?: string): Promise<User>;
  /** Lists the live sessions: user, start and address. `token` is an administrator's. */
  listSessions(token: string): Promise<SessionList>;
  /** Ends all sessions, including the caller's, or those of one user. `token` is an administrator's. */
  endSessions(token: string, username?: string): Promise<void>;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: Credentials;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Creates a client of the service. */
export function createClient({ baseUrl, fetch = globalThis.fetch }: ClientOptions): Client {
  async function call({ method, path, token, body }: Call): Promise<Response> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : JSON_TYPE),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const retryAfter = response.headers.get('retry-after');
    throw new HostauthError(
      await read(response, problemSchema),
      retryAfter === null ? null : Number(retryAfter),
    );
  }

  return {
    signIn: async (body) => read(await call({ method: 'POST', path: '/auth', body }), tokenSchema),
    me: async (token) => read(await call({ method: 'GET', path: '/me', token }), meSchema),
    async logout(token) {
      await call({ method: 'POST', path: '/logout', token });
    },
    createUser: async (body, token) =>
      read(await call({ method: 'POST', path: '/users', body, token }), userSchema),
    listSessions: async (token) =>
      read(await call({ method: 'GET', path: '/sessions', token }), sessionListSchema),
    async endSessions(token, username) {
      const path = username === undefined ? '/sessions' : `/sessions/${encodeURIComponent(username)}`;
      await call({ method: 'DELETE', path, token });
    },
  };
}

const read = async <T>(response: Response, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await response.json());
