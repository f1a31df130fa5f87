/*
 * The end of the service:
 *
 *   open ── close() ──▶ draining (new requests get 503, requests in progress are answered) ──▶ closed
 */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../api/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body has arrived: it is in progress or answered. */
    hasBegun: boolean;
  }
}

/** Refuses new requests while the service ends, and closes the connections when the requests in progress are answered. */
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
