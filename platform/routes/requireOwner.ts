import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Returns whether a request has the owner's secret (`Authorization: Bearer …`). */
export type IsOwner = (request: FastifyRequest) => boolean;

/** Creates the check of the owner's secret. The time that it takes does not depend on what the caller sent. */
export function createIsOwner(ownerSecret: string): IsOwner {
  const expected = digest(`Bearer ${ownerSecret}`);
  return ({ headers: { authorization = '' } }) => timingSafeEqual(digest(authorization), expected);
}

/**
 * Creates the hook of a route for the program that started the platform: it answers a request without the owner's secret with 403
 * before its body is read.
 * @param refusal the sentence of the answer.
 */
export function requireOwner(ownerSecret: string, refusal: string) {
  const isOwner = createIsOwner(ownerSecret);
  return async (request: FastifyRequest, reply: FastifyReply) =>
    isOwner(request) ? undefined : reply.code(403).send(refusal);
}
