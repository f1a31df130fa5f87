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

/** The service said no; `problem.type` says why, and is stable (contract §8). */
export class HostauthError extends Error {
  override readonly name = 'HostauthError';

  constructor(
    readonly problem: ProblemBody,
    /** Seconds after which trying again makes sense, where the service said so. */
    readonly retryAfter: number | null,
  ) {
    super(`${problem.status} ${problem.title}`);
  }
}

export interface ClientOptions {
  /** The service's address, without a slash at its end: `http://127.0.0.1:4320`. */
  readonly baseUrl: string;
  /** What asks; one that trusts a certificate of your own, for example. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The service's calls (spec §4.3). Each rejects with `HostauthError` when the service says no, with what `fetch` rejects
 * with when it cannot be reached, and with zod's error when the answer is not that of this service.
 */
export interface Client {
  /** Credentials of a host account for a session's token. */
  signIn(credentials: Credentials): Promise<Token>;
  /** Whose session it is; its idle time begins anew. */
  me(token: string): Promise<Me>;
  /** Ends the session. */
  logout(token: string): Promise<void>;
  /** Creates a host account; `token` is an administrator's, where the service asks for one. */
  createUser(credentials: Credentials, token?: string): Promise<User>;
  /** The live sessions: who, since when, from where. `token` is an administrator's. */
  listSessions(token: string): Promise<SessionList>;
  /** Ends all sessions, the caller's too, or those of one user. `token` is an administrator's. */
  endSessions(token: string, username?: string): Promise<void>;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: Credentials;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** A client of the service. */
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
