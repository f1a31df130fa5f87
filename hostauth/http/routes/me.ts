import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AppOptions } from '../app.ts';
import type { AccountGuard } from '../guards/accountGuard.ts';
import { bearer, sessionOf } from '../guards/bearer.ts';
import { isoTime } from '../isoTime.ts';
import { type Me, meSchema, problemResponses } from '../schemas.ts';

export interface MeOptions extends AppOptions {
  readonly guard: AccountGuard;
}

/** `GET /me`: whose session a token is (spec §4.3). */
export async function me(fastify: FastifyInstance, { sessions, guard }: MeOptions): Promise<void> {
  const schema = {
    summary: 'Whose session it is',
    security: [{ session: [] }],
    response: { 200: meSchema, ...problemResponses(401, 403, 503) },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .get('/me', { schema, onRequest: [bearer(sessions), guard.recentAccount] }, (request, reply) => {
      const { username, expiresAt } = sessionOf(request);
      const answer: Me = { username, expires_at: isoTime(expiresAt) };
      reply.send(answer);
    });
}
