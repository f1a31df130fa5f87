import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access } from './access.ts';

/** What every answer says, also a refusal: it is for this page alone, and stays nowhere. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const querySchema = z.object({ token: z.string() });

/** The path of a request, without its query. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/**
 * Lets a request in, with the cookie if its token was good; else refuses it, and gives the answer that was sent. The
 * request's cookies must have been parsed (@fastify/cookie).
 */
export function admit(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const verdict = access.judge({
    method: request.method,
    host: request.headers.host,
    origin: request.headers.origin,
    cookie: request.cookies[access.cookieName],
    token: pathOf(request) === '/' ? querySchema.safeParse(request.query).data?.token : undefined,
  });
  if (verdict === 'foreign' || verdict === 'unknown')
    return reply.code(403).type('text/plain; charset=utf-8').send(access.refusal(verdict));
  if (verdict === 'exchange') reply.header('set-cookie', access.cookie);
  return undefined;
}
