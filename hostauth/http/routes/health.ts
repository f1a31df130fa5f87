import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problemResponses } from '../schemas.ts';

/** `GET /healthz`: whether the service answers; 503 once it is about to stop. */
export async function health(fastify: FastifyInstance): Promise<void> {
  const schema = {
    summary: 'Whether the service answers',
    response: { 200: z.strictObject({ status: z.literal('ok') }), ...problemResponses(403, 503) },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .get('/healthz', { schema }, async () => ({ status: 'ok' as const }));
}
