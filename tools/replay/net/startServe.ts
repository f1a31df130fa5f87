import Fastify from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { HTTP_TIMES } from '#loopback/guard.ts';
import {
  type Addresses,
  closeSockets,
  guardRequests,
  listenOnLoopback,
  refuseForeignUpgrade,
} from './sockets.ts';
import type { Clock } from '#shared/clock.ts';
import { type ComparisonReport, createComparison } from './comparison.ts';
import { createPlayer } from './player.ts';
import { type ScriptConnection, createPosition } from './script.ts';

/** The account for all credentials. It is one path segment and not a secret: every account is accepted. */
const ACCOUNT = 'replayed';

/** The options of `startServe`. */
interface ServeOptions extends PlaybackOptions {
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

/** The options of `createPlayback`. */
interface PlaybackOptions {
  readonly connections: readonly ScriptConnection[];
  readonly clock: Clock;
  /** The factor of the recorded speed; `Infinity` sends at once. */
  readonly speed: number;
  /** Reports events and differences of the client's frames, one line each. */
  readonly print: (line: string) => void;
}

/** The result of serving a capture. */
interface ServeReport {
  readonly connections: { readonly recorded: number; readonly played: number };
  /** The comparison of the client's frames. */
  readonly frames: ComparisonReport;
}

/** Plays a capture to one client at a time; the others wait. */
interface Playback {
  /** Adds a client's socket; it waits until the current client has left. */
  addClient(socket: WebSocket): void;
  report(): ServeReport;
}

/**
 * Plays a capture's connections to clients:
 *
 *     empty ── a client enters ──▶ playing ── the recorded close, or the client's ──▶ empty, at the next connection
 *       ▲                             │
 *       └── the client left before ───┘ at the rest of the same connection
 */
function createPlayback({ connections, clock, speed, print }: PlaybackOptions): Playback {
  const position = createPosition(connections);
  const comparison = createComparison(connections, print);
  const player = createPlayer({ position, comparison, clock, speed, print });
  const clients: WebSocket[] = [];

  const begin = () => {
    const [client] = clients;
    if (client === undefined) return;
    const number = `connection ${position.connection() + 1} of ${connections.length}`;
    print(position.isAtEnd() ? 'a client connected, but everything has been played' : `plays ${number}`);
    player.begin(client);
  };
  const removeClient = (socket: WebSocket) => {
    const index = clients.indexOf(socket);
    clients.splice(index, 1);
    if (index > 0) return;
    player.stop();
    if (!position.leave()) print('the client left before the end; the next one continues from here');
    begin();
  };

  return {
    addClient(socket) {
      // The close event reports the same.
      socket.on('error', () => {});
      socket.on('close', () => removeClient(socket));
      socket.on('message', (data: Buffer, isBinary) => {
        comparison.receive(data, isBinary, position.connection());
        if (clients[0] === socket) player.resume();
      });
      clients.push(socket);
      if (clients.length === 1) begin();
      else print('another client connected; it waits until the first one has left');
    },
    report: () => ({
      connections: { recorded: connections.length, played: position.connection() },
      frames: comparison.report(),
    }),
  };
}
