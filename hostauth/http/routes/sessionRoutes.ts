import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem } from '../../api/problems.ts';
import {
  type Me,
  type SessionList,
  meSchema,
  problemResponses,
  sessionListSchema,
} from '../../api/schemas.ts';
import {
  type AccountGuard,
  administratorsOnly,
  bearer,
  bearerToken,
  requestLimit,
  requestSession,
  requesterFields,
} from '../guards/accountGuard.ts';
import type { Audit } from '../guards/audit.ts';
import { clientAddress } from '../guards/hostCheck.ts';
import type { Session, Sessions } from '../guards/sessions.ts';

/** The options of `me`. */
interface MeOptions {
  readonly sessions: Sessions;
  readonly guard: AccountGuard;
}

/** Adds `GET /me`: returns the user of a token (spec §4.3). */
export async function me(fastify: FastifyInstance, { sessions, guard }: MeOptions): Promise<void> {
  const schema = {
    summary: 'The user of the session',
    security: [{ session: [] }],
    response: { 200: meSchema, ...problemResponses(401, 403, 503) },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .get('/me', { schema, onRequest: [bearer(sessions), guard.recentAccount] }, (request, reply) => {
      const { username, expiresAt } = requestSession(request);
      const answer: Me = { username, expires_at: isoTime(expiresAt) };
      reply.send(answer);
    });
}

let lastMs = Number.NaN;
let lastText = '';

/**
 * Formats a time, rounded to milliseconds. Requests in the same millisecond share the text: to format it takes longer than
 * most of an answer.
 * @param ms since 1970.
 */
function isoTime(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded !== lastMs) {
    lastMs = rounded;
    lastText = new Date(rounded).toISOString();
  }
  return lastText;
}

/** The options of `logout`. */
interface LogoutOptions {
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** Adds `POST /logout`: ends the session of the token (spec §3.4, §4.3). Takes no body, or an empty one of any type. */
export async function logout(fastify: FastifyInstance, { sessions, audit }: LogoutOptions): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body.length === 0) done(null);
    else done(new Problem('invalid-request'));
  });
  fastify.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const isEmpty =
      headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
    // Fastify would refuse an invalid type even though the body is empty.
    if (isEmpty) delete headers['content-type'];
    done();
  });
  const schema = {
    summary: 'End the session',
    security: [{ session: [] }],
    response: {
      204: z.null().describe('The session has ended'),
      ...problemResponses(400, 401, 403, 413, 503),
    },
  };
  fastify.post('/logout', { schema, onRequest: bearer(sessions) }, async (request, reply) => {
    const session = await sessions.end(bearerToken(request.headers.authorization) ?? '');
    // Another request may have ended it since `bearer`.
    if (session === undefined) throw new Problem('token');
    audit('session ended', {
      username: session.username,
      session: session.number,
      address: clientAddress(request),
    });
    return reply.code(204).send();
  });
}

/** Maximum requests per caller and minute. */
const REQUESTS_A_MINUTE = 60;

const SECURITY = [{ session: [] }];
const ERRORS = problemResponses(401, 403, 429, 503);
const ENDED = { 204: z.null().describe('The sessions have ended'), ...ERRORS };

/** The options of `sessionsRoutes`. */
interface SessionsOptions {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly guard: AccountGuard;
}

/** Adds `GET /sessions`, `DELETE /sessions`, `DELETE /sessions/{username}`: for administrators (contract §8). */
export async function sessionsRoutes(fastify: FastifyInstance, options: SessionsOptions): Promise<void> {
  const { sessions } = options;
  const limit = limitRequests(fastify, options);
  const onRequest = [
    bearer(sessions),
    limit,
    administratorsOnly({ ...options, event: 'sessions not shown' }),
  ];
  const app = fastify.withTypeProvider<ZodTypeProvider>();
  const end = (request: FastifyRequest, isSelected: (session: Session) => boolean) => {
    for (const session of [...sessions.list()].filter(isSelected)) {
      sessions.endSession(session, { reason: 'administrator', ...requesterFields(request) });
    }
  };

  const list = {
    summary: 'The live sessions',
    security: SECURITY,
    response: { 200: sessionListSchema, ...ERRORS },
  };
  app.get('/sessions', { schema: list, onRequest }, (_request, reply) => {
    const answer: SessionList = { sessions: [...sessions.list()].map(describe) };
    reply.send(answer);
  });

  const endAll = { summary: 'End all sessions', security: SECURITY, response: ENDED };
  app.delete('/sessions', { schema: endAll, onRequest }, (request, reply) => {
    end(request, () => true);
    reply.code(204).send(null);
  });

  const params = z.strictObject({ username: z.string() });
  const endOfUser = { summary: 'End the sessions of a user', security: SECURITY, params, response: ENDED };
  app.delete('/sessions/:username', { schema: endOfUser, onRequest }, (request, reply) => {
    end(request, ({ username }) => username === request.params.username);
    reply.code(204).send(null);
  });
}

const limitRequests = (fastify: FastifyInstance, { audit }: SessionsOptions): onRequestAsyncHookHandler =>
  requestLimit(fastify, {
    name: 'sessions',
    max: REQUESTS_A_MINUTE,
    problem: 'too-many-requests',
    onExceeded: (request) =>
      audit('sessions not shown', { ...requesterFields(request), reason: 'throttled' }),
  });

const describe = ({ number, username, startedAt, address }: Session): SessionList['sessions'][number] => ({
  session: number,
  username,
  started_at: new Date(startedAt).toISOString(),
  address,
});
