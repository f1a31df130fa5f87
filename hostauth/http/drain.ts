/*
 * The end of the service:
 *
 *   open ── close() ──▶ draining: new requests get 503, what has begun is answered ──▶ closed
 */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../api/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body is here and its work goes on, or is done. */
    hasBegun: boolean;
  }
}

/** Refuses what comes after the end has begun, and cuts the connections when all that had begun is answered. */
export function drainOnClose(app: FastifyInstance): void {
  let begun = 0;
  let isClosing = false;
  const cutIfDone = () => {
    if (isClosing && begun === 0) app.server.closeAllConnections();
  };

  app.decorateRequest('hasBegun', false);
  app.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) done(new Problem('closing', 5));
    else done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    request.hasBegun = true;
    begun++;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.hasBegun) begun--;
    cutIfDone();
    done();
  });
  app.addHook('preClose', (done) => {
    isClosing = true;
    // Fastify stops listening first.
    setImmediate(cutIfDone);
    done();
  });
}
