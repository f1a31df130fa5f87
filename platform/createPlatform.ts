import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance } from 'fastify';
import { FOREIGN_TEXTS, PROGRAMS, foreignStatus, HTTP_TIMES } from '#loopback/guard.ts';
import { errorCode } from '#shared/formatText.ts';
import type { Clock } from '#shared/clock.ts';
import type { HostEntrance } from './hostSignIn/hostEntrance.ts';
import type { PlatformMetrics } from './routes/platformMetrics.ts';
import { type AuthOptions, authRoute } from './routes/authRoute.ts';
import { socketRoute } from './routes/socketRoute.ts';
import { DamagedFileError } from './storage/platformFile.ts';

/** The options of `createPlatform`. */
interface PlatformOptions extends Pick<AuthOptions, 'accounts' | 'limits' | 'isOwner' | 'clock' | 'logger'> {
  /** The sign-in with the users of this machine, if it replaces that of the platform's own accounts. */
  readonly host?: HostEntrance | undefined;
  /** Resolves to whether changes reach the disk. */
  readonly canWrite: () => Promise<boolean>;
  readonly metrics: PlatformMetrics;
}

const AUTH_BYTES = 4096;
const FRAME_BYTES = 2_000_000;
/** A peer that does not answer the close within this time is terminated. */
const CLOSE_MS = 1000;
/** "Going away". The reason is empty, so that clients reconnect when the platform starts again (spec §3.2). */
const GOING_AWAY = 1001;

/**
 * Creates the platform's HTTP API and WebSocket (spec §4.1, §4.2) as an app that does not listen yet.
 *
 * Fastify's own logger is off: the address of every socket contains the account identifier, so addresses are never logged.
 */
export function createPlatform(options: PlatformOptions): FastifyInstance {
  const { accounts, limits, host, clock, logger, metrics } = options;
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
    if (error instanceof DamagedFileError) return reply.code(503).send(error.message);
    const status = statusOf(error);
    if (status >= 500) logger.error({ code: errorCode(error) }, 'a request failed');
    return reply.code(status).send(errorText(status));
  });
  void app.register(websocket, {
    options: { maxPayload: FRAME_BYTES },
    // Errors of the peer and of the network. The close that follows is logged where it is handled.
    errorHandler: (error) => logger.warn({ code: errorCode(error) }, 'a socket failed'),
    preClose: (done) => closeSockets(app, clock, done),
  });
  // After the plugin, whose own hook marks upgrades: the connection of a refused upgrade must end.
  app.addHook('onRequest', async (request, reply) => {
    // The header tells the client not to reuse the connection.
    if (request.ws) reply.header('connection', 'close');
    const status = foreignStatus(request.raw, PROGRAMS);
    return status && reply.code(status).send(FOREIGN_TEXTS[status]);
  });
  void app.register(authRoute, options);
  void app.register(socketRoute, { accounts, limits, clock, sessions: host?.sessions, logger, metrics });
  void app.register(healthRoute, options);
  void app.register(metricsRoute, options);
  return app;
}

/** Returns the status of an error; Fastify's errors have one. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;

/** Returns a sentence for a request that did not reach its route. */
function errorText(status: number): string {
  if (status === 413) return 'The request is too large.';
  if (status === 415) return 'The request must be JSON.';
  return status < 500 ? 'The request cannot be read.' : 'The platform has failed. Try again.';
}

/** Closes every socket and waits for it, for a limited time. */
function closeSockets({ websocketServer }: FastifyInstance, clock: Clock, done: () => void): void {
  const cancel = clock.after(CLOSE_MS, () => {
    for (const socket of websocketServer.clients) socket.terminate();
  });
  for (const socket of websocketServer.clients) socket.close(GOING_AWAY);
  websocketServer.close(() => {
    cancel();
    done();
  });
}

/** A check writes to the disk, so it is used for this time. */
const VALID_MS = 1000;

/**
 * Adds `GET /healthz`: 200 when the platform works, 503 when its disk cannot be written. No account has this name: identifiers
 * have 32 characters.
 */
async function healthRoute(app: FastifyInstance, { canWrite, clock }: PlatformOptions): Promise<void> {
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

/** Adds `GET /metrics` for Prometheus. No account has this name: identifiers have 32 characters. */
async function metricsRoute(app: FastifyInstance, { metrics: { registry } }: PlatformOptions): Promise<void> {
  app.get('/metrics', async (_request, reply) =>
    reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics()),
  );
}
