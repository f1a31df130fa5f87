import type { FastifyInstance } from 'fastify';
import type { Clock } from '#shared/time/clock.ts';

/** A check writes to the disk, so it is used for this time. */
const VALID_MS = 1000;

/** The options of `healthRoute`. */
export interface HealthOptions {
  /** Resolves to whether changes reach the disk. */
  readonly canWrite: () => Promise<boolean>;
  readonly clock: Clock;
}

/**
 * Adds `GET /healthz`: 200 when the platform works, 503 when its disk cannot be written. No account has this name: identifiers
 * have 32 characters.
 */
export async function healthRoute(app: FastifyInstance, { canWrite, clock }: HealthOptions): Promise<void> {
  let checked: { readonly at: number; readonly isWritable: Promise<boolean> } | null = null;
  const check = () => {
    if (checked === null || clock.now() - checked.at >= VALID_MS)
      checked = { at: clock.now(), isWritable: canWrite() };
    return checked.isWritable;
  };
  app.get('/healthz', async (_request, reply) => {
    const isWritable = await check();
    return reply
      .code(isWritable ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isWritable ? 'ok' : 'The disk cannot be written.' });
  });
}
