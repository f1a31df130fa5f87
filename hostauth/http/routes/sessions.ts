import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Audit } from '../audit/audit.ts';
import type { AccountGuard } from '../sessions/accountGuard.ts';
import { administratorsOnly, requestLimit, requesterFields } from '../guards/administratorsOnly.ts';
import { bearer } from '../sessions/bearer.ts';
import { type SessionList, problemResponses, sessionListSchema } from '../../api/schemas.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';

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
