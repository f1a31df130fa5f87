import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Access, isSameSecret } from './access.ts';
import { FOREIGN_TEXTS, foreignStatus } from './foreignStatus.ts';

/** The headers of every response, also of refusals: the response is for this page only and is never stored. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const querySchema = z.object({ token: z.string() });

/** Returns the path of a request without its query. */
export const requestPath = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/** Refuses a request that is not for this server (see `foreignStatus`); returns the response that was sent. */
export function refuseForeign(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const status = foreignStatus(request.raw);
  if (status === undefined) return undefined;
  const text = status === 400 ? `400: ${FOREIGN_TEXTS[400]}\n` : access.refusal('foreign');
  return refuse(reply, status, text);
}

/**
 * Admits a request, or refuses it and returns the response that was sent. A valid token sets the cookie. The request's
 * cookies must have been parsed (@fastify/cookie).
 */
export function admit(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const refused = refuseForeign(access, request, reply);
  if (refused !== undefined) return refused;
  const decision = access.check({
    method: request.method,
    cookie: request.cookies[access.cookieName],
    token: requestPath(request) === '/' ? querySchema.safeParse(request.query).data?.token : undefined,
  });
  if (decision === 'unknown') return refuse(reply, 403, access.refusal('unknown'));
  if (decision === 'exchange') reply.header('set-cookie', access.cookie);
  return undefined;
}

/**
 * Returns the secret for the page of this response: only the request that used a token receives it. Every resource with a
 * person's data requires it in addition to the cookie, which the browser also sends to every other port.
 */
export const pageSecretFor = (access: Access, reply: FastifyReply): string | undefined =>
  reply.hasHeader('set-cookie') ? access.pageSecret : undefined;

/** Refuses a request without the page's secret; returns the response that was sent. */
export function requirePageSecret(
  access: Access,
  given: readonly string[],
  reply: FastifyReply,
): FastifyReply | undefined {
  if (given.some((secret) => isSameSecret(secret, access.pageSecret))) return undefined;
  return refuse(reply, 403, access.refusal('unknown'));
}

const refuse = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);
