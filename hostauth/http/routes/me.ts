import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AccountGuard } from '../sessions/accountGuard.ts';
import { bearer, requestSession } from '../sessions/bearer.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Me, meSchema, problemResponses } from '../../api/schemas.ts';

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
