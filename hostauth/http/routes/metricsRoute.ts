import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppOptions } from '../app.ts';
import { problemResponses } from '../schemas.ts';

/** `GET /metrics`: counts and times, for Prometheus. */
export async function metricsRoute(fastify: FastifyInstance, { metrics }: AppOptions): Promise<void> {
  const { registry } = metrics;
  const schema = {
    summary: 'Counts and times, for Prometheus',
    response: {
      200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } },
      ...problemResponses(403, 503),
    },
  };
  fastify.get('/metrics', { schema }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
