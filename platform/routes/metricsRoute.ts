import type { FastifyInstance } from 'fastify';
import type { PlatformMetrics } from '../metrics/platformMetrics.ts';

/** The options of `metricsRoute`. */
export interface MetricsOptions {
  readonly metrics: PlatformMetrics;
}

/** Adds `GET /metrics` for Prometheus. No account has this name: identifiers have 32 characters. */
export async function metricsRoute(app: FastifyInstance, { metrics }: MetricsOptions): Promise<void> {
  const { registry } = metrics;
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics()),
  );
}
