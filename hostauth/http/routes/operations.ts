import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problemResponses } from '../../api/schemas.ts';
import type { Metrics } from '../guards/metrics.ts';

/** The options of `operations`. */
interface OperationsOptions {
  readonly metrics: Metrics;
}

/** Adds the calls for those who operate the service: `GET /healthz`, `GET /metrics` and `GET /openapi.json`. */
export async function operations(fastify: FastifyInstance, { metrics }: OperationsOptions): Promise<void> {
  const { registry } = metrics;
  const problems = problemResponses(403, 503);

  const health = {
    summary: 'Whether the service answers',
    response: { 200: z.strictObject({ status: z.literal('ok') }), ...problems },
  };
  // 503 once the service is about to stop: `drainOnClose`.
  fastify.get('/healthz', { schema: health }, async () => ({ status: 'ok' }));

  const counts = {
    summary: 'Counts and times, for Prometheus',
    response: {
      200: { description: 'Metrics', content: { 'text/plain': { schema: z.string() } } },
      ...problems,
    },
  };
  fastify.get('/metrics', { schema: counts }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );

  const document = {
    summary: 'This document',
    response: { 200: z.looseObject({ openapi: z.string() }), ...problems },
  };
  fastify.get('/openapi.json', { schema: document }, async () => fastify.swagger());
}
