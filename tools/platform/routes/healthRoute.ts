import type { FastifyInstance } from 'fastify';

/** The options of `healthRoute`. */
export interface HealthOptions {
  /** Resolves to whether changes reach the disk. */
  readonly canWrite: () => Promise<boolean>;
}

/**
 * Adds `GET /healthz`: 200 when the platform works, 503 when its disk cannot be written. No account has this name: identifiers
 * have 32 characters.
 */
export async function healthRoute(app: FastifyInstance, { canWrite }: HealthOptions): Promise<void> {
  app.get('/healthz', async (_request, reply) => {
    const isWritable = await canWrite();
    return reply
      .code(isWritable ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isWritable ? 'ok' : 'The disk cannot be written.' });
  });
}
