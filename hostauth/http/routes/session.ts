import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { AccountGuard } from '../sessions/accountGuard.ts';
import { bearer, bearerToken, requestSession } from '../sessions/bearer.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type Me, meSchema, problemResponses } from '../../api/schemas.ts';
import { z } from 'zod';
import type { Audit } from '../audit/audit.ts';
import { clientAddress } from '../guards/clientAddress.ts';
import { Problem } from '../../api/problems.ts';

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
