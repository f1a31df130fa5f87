import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problemResponses } from '../schemas.ts';

/** `GET /openapi.json`: the calls, described for programs. */
export async function openapi(fastify: FastifyInstance): Promise<void> {
  const schema = {
    summary: 'This document',
    response: { 200: z.looseObject({ openapi: z.string() }), ...problemResponses(403, 503) },
  };
  fastify.get('/openapi.json', { schema }, async () => fastify.swagger());
}
