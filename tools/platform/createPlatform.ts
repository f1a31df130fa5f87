import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { FOREIGN_WORDS, PROGRAMS, foreignStatus } from '#loopback/foreignStatus.ts';
import { HTTP_TIMES } from '#loopback/limitStrangers.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type AuthOptions, authRoute } from './routes/authRoute.ts';
import { errorCode } from '#shared/errorCode.ts';
import { socketRoute } from './routes/socketRoute.ts';

export type PlatformOptions = AuthOptions;

const AUTH_BYTES = 4096;
const FRAME_BYTES = 2_000_000;
/** A peer that does not answer the close within this time is cut. */
const FAREWELL_MS = 1000;
/** "Going away". The reason stays empty, so that clients come back when the platform does (spec §3.2). */
const GOING_AWAY = 1001;

/**
 * The platform's HTTP API and WebSocket (spec §4.1, §4.2) as an app that does not listen yet.
 *
 * It has no logger of Fastify's own: the account identifier is in the address of every socket, and nothing that
 * logs addresses may run.
 */
export function createPlatform({ accounts, clock, logger }: PlatformOptions): FastifyInstance {
  const app = Fastify({
    ...HTTP_TIMES,
    logger: false,
    bodyLimit: AUTH_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('There is nothing here.'));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status >= 500) logger.error({ code: errorCode(error) }, 'a request failed');
    return reply.code(status).send(sentenceOf(status));
  });
  void app.register(websocket, {
    options: { maxPayload: FRAME_BYTES },
    // The peer's faults and network failures; the close that follows is logged where it is handled.
    errorHandler: (error) => logger.warn({ code: errorCode(error) }, 'a socket failed'),
    preClose: (done) => sayFarewell(app, clock, done),
  });
  // After the plugin, whose own hook marks upgrades: only so is the connection of a refused one ended.
  app.addHook('onRequest', async (request, reply) => {
    // Said, so that no client sends its next request on it.
    if (request.ws) reply.header('connection', 'close');
    const status = foreignStatus(request.raw, PROGRAMS);
    return status && reply.code(status).send(FOREIGN_WORDS[status]);
  });
  void app.register(authRoute, { accounts, clock, logger });
  void app.register(socketRoute, { accounts, logger });
  return app;
}

/** Fastify's own errors say which status they mean. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;

/** What a person can read of a request that did not reach its route. */
function sentenceOf(status: number): string {
  if (status === 413) return 'The request is too large.';
  if (status === 415) return 'The request must be JSON.';
  return status < 500 ? 'The request cannot be read.' : 'The platform has failed. Try again.';
}

/** Closes every socket and waits for it, but not for long. */
function sayFarewell({ websocketServer }: FastifyInstance, clock: Clock, done: () => void): void {
  const cancel = clock.after(FAREWELL_MS, () => {
    for (const socket of websocketServer.clients) socket.terminate();
  });
  for (const socket of websocketServer.clients) socket.close(GOING_AWAY);
  websocketServer.close(() => {
    cancel();
    done();
  });
}
