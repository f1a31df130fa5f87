import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Creates the hook of a route for the program that started the platform: it answers a request without the owner's secret with 403
 * before its body is read.
 * @param refusal the sentence of the answer.
 */
export function requireOwner(ownerSecret: string, refusal: string) {
  const expected = digest(`Bearer ${ownerSecret}`);
  return async ({ headers: { authorization = '' } }: FastifyRequest, reply: FastifyReply) =>
    timingSafeEqual(digest(authorization), expected) ? undefined : reply.code(403).send(refusal);
}
