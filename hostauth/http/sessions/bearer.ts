import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../api/problems.ts';
import type { Session, Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request; `null` where the route requires no token. Read it with `requestSession`. */
    session: Session | null;
  }
}

const BEARER = /^bearer +(\S+)$/i;

/** Returns the token of an `Authorization` header; `undefined` when it has none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];

/** Creates an `onRequest` hook that admits requests with the token of a live session; others get 401 (contract §8). */
export const bearer =
  (sessions: Sessions): onRequestHookHandler =>
  (request, _reply, done) => {
    const token = bearerToken(request.headers.authorization);
    request.session = (token === undefined ? undefined : sessions.find(token)) ?? null;
    if (request.session === null) done(new Problem('token'));
    else done();
  };

/** Returns the session that `bearer` has found. @throws {Problem} `token` when there is none. */
export function requestSession(request: FastifyRequest): Session {
  if (request.session === null) throw new Problem('token');
  return request.session;
}
