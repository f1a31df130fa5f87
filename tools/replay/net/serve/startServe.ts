import Fastify from 'fastify';
import { WebSocketServer } from 'ws';
import { HTTP_TIMES } from '#loopback/limitUnauthenticatedConnections.ts';
import {
  type Addresses,
  guardRequests,
  listenOnLoopback,
  refuseForeignUpgrade,
} from '../sockets/loopback.ts';
import { type Playback, type PlaybackOptions, createPlayback } from './playback.ts';
import { closeSockets } from '../sockets/closeSockets.ts';

/** The account for all credentials. It is one path segment and not a secret: every account is accepted. */
const ACCOUNT = 'replayed';

/** The options of `startServe`. */
export interface ServeOptions extends PlaybackOptions {
  /** 0 selects any free port. */
  readonly port: number;
}

/** A platform that plays a capture. */
interface RunningServe extends Addresses {
  readonly report: Playback['report'];
  /** Closes every socket (1001, no reason) and frees the port. */
  stop(): Promise<void>;
}

/**
 * Acts as the platform of a capture for a live client, on this machine only. Every sign-in succeeds, and every account is
 * accepted (spec §4.1, §4.2; contract §7).
 * @throws {UsageError} when the port is not available.
 */
export async function startServe(options: ServeOptions): Promise<RunningServe> {
  const playback = createPlayback(options);
  const app = Fastify({ ...HTTP_TIMES, logger: false, forceCloseConnections: true });
  const sockets = new WebSocketServer({ noServer: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => body.resume().on('end', () => done(null)));
  guardRequests(app);
  app.post('/auth', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ACCOUNT));
  app.server.on('upgrade', (request, upgrade, head) => {
    upgrade.on('error', () => {});
    if (refuseForeignUpgrade(request, upgrade)) return;
    sockets.handleUpgrade(request, upgrade, head, (socket) => playback.addClient(socket));
  });
  const addresses = await listenOnLoopback(app, options.port);
  return {
    ...addresses,
    report: playback.report,
    async stop() {
      await closeSockets(sockets.clients, options.clock);
      await app.close();
    },
  };
}
