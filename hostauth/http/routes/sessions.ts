import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Audit } from '../audit/audit.ts';
import type { AccountGuard } from '../sessions/accountGuard.ts';
import { administratorsOnly, requestLimit, requesterOf } from '../guards/administrators.ts';
import { bearer } from '../sessions/bearer.ts';
import { type SessionList, problemResponses, sessionListSchema } from '../../api/schemas.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';

/** For one caller. */
const REQUESTS_A_MINUTE = 60;

export interface SessionsOptions {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly guard: AccountGuard;
}

/** `GET /sessions`, `DELETE /sessions`, `DELETE /sessions/{username}`: for administrators (contract §8). */
export async function sessionsRoutes(fastify: FastifyInstance, options: SessionsOptions): Promise<void> {
  const { sessions, audit } = options;
  const event = 'sessions not shown';
  const limit = requestLimit(fastify, {
    name: 'sessions',
    max: REQUESTS_A_MINUTE,
    problem: 'too-many-requests',
    onExceeded: (request) => audit(event, { ...requesterOf(request), reason: 'throttled' }),
  });
  const onRequest = [bearer(sessions), limit, administratorsOnly({ ...options, event })];
  const security = [{ session: [] }];
  const responses = problemResponses(401, 403, 429, 503);
  const app = fastify.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/sessions',
    {
      schema: { summary: 'The live sessions', security, response: { 200: sessionListSchema, ...responses } },
      onRequest,
    },
    (_request, reply) => {
      const answer: SessionList = { sessions: [...sessions.list()].map(describe) };
      reply.send(answer);
    },
  );

  const end = (request: FastifyRequest, selected: readonly Session[]) => {
    for (const session of selected) {
      sessions.endSession(session, { reason: 'administrator', ...requesterOf(request) });
    }
  };
  const ended = { 204: z.null().describe('They are ended'), ...responses };

  app.delete(
    '/sessions',
    { schema: { summary: 'End all sessions', security, response: ended }, onRequest },
    (request, reply) => {
      end(request, [...sessions.list()]);
      reply.code(204).send(null);
    },
  );

  const params = z.strictObject({ username: z.string() });
  app.delete(
    '/sessions/:username',
    { schema: { summary: 'End the sessions of a user', security, params, response: ended }, onRequest },
    (request, reply) => {
      const { username } = request.params;
      end(
        request,
        [...sessions.list()].filter((session) => session.username === username),
      );
      reply.code(204).send(null);
    },
  );
}

const describe = ({ number, username, startedAt, address }: Session): SessionList['sessions'][number] => ({
  session: number,
  username,
  started_at: new Date(startedAt).toISOString(),
  address,
});
