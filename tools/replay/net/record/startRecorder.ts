import { join } from 'node:path';
import Fastify from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import { HTTP_TIMES } from '#loopback/limitUnauthenticatedConnections.ts';
import type { Clock } from '#shared/time/clock.ts';
import { closeSockets } from '../sockets/closeSockets.ts';
import {
  type Addresses,
  guardRequests,
  listenOnLoopback,
  refuseForeignUpgrade,
} from '../sockets/loopback.ts';
import { captureFile } from './captureFile.ts';
import { forwardAuth } from './forwardAuth.ts';
import { connectToPlatform } from './connectToPlatform.ts';
import { type Untimed, relay } from './relay.ts';

/** The options of `startRecorder`. */
interface RecorderOptions {
  /** The platform's {api_url} and {platform_url} (spec §4), without a slash at the end. */
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The folder for the captures; it must exist. */
  readonly folder: string;
  readonly clock: Clock;
  /** The time of day, milliseconds since the epoch. */
  readonly today: () => number;
  /** The app version in the captures. */
  readonly app: string;
  /** Reports events, one line each; never an account. */
  readonly print: (line: string) => void;
}

/** A running recorder. */
interface RunningRecorder extends Addresses {
  /** Closes every socket (1001, no reason), completes the captures and frees the port. */
  stop(): Promise<void>;
}

/**
 * Starts a recording proxy between any client on this machine and a platform (contract §7), with a capture for each
 * connection. The account is in the path of each socket (spec §4.2) and in the response to each sign-in: both are passed on
 * and never stored.
 * @throws {UsageError} when the port is not available.
 */
export async function startRecorder(options: RecorderOptions): Promise<RunningRecorder> {
  const { apiUrl, platformUrl, clock, print } = options;
  const sockets = new WebSocketServer({ noServer: true, autoPong: false, skipUTF8Validation: true });
  const recordings = createRecordings(options);
  const app = Fastify({ ...HTTP_TIMES, logger: false, forceCloseConnections: true });
  guardRequests(app);
  void app.register(forwardAuth, { apiUrl, print });
  app.server.on('upgrade', (request, upgrade, head) => {
    // A client may disconnect while it is refused, or while it waits for the platform.
    upgrade.on('error', () => {});
    if (refuseForeignUpgrade(request, upgrade)) return;
    const onOpen = (platform: WebSocket): boolean => {
      let isAccepted = false;
      sockets.handleUpgrade(request, upgrade, head, (client) => {
        isAccepted = true;
        recordings.begin(client, platform);
      });
      return isAccepted;
    };
    connectToPlatform({ request, upgrade, platformUrl, print, onOpen });
  });
  const addresses = await listenOnLoopback(app, options.port);
  return {
    ...addresses,
    async stop() {
      await closeSockets(sockets.clients, clock);
      await recordings.ended();
      await app.close();
    },
  };
}

/** Manages the captures that are being recorded, numbered from 1. */
function createRecordings({ folder, clock, today, app, print }: RecorderOptions) {
  const running = new Set<Promise<void>>();
  let number = 0;
  return {
    begin(client: WebSocket, platform: WebSocket) {
      number += 1;
      const startedAt = new Date(today()).toISOString();
      const path = join(folder, `${startedAt.replaceAll(':', '-')}-${number}.parley.jsonl`);
      const header = { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app } as const;
      print(`connection ${number} is recorded in ${path}`);
      const onFailure = (reason: string) =>
        print(`${reason}; the recording ends, and the connection continues`);
      const file = captureFile({ path, header, clock, onFailure });
      const openedAt = clock.now();
      const onRecord = (record: Untimed) => file.add({ t: sinceOpening(openedAt), ...record });
      // After the relay's own listener, whose last record is the close.
      relay({ client, platform, onRecord });
      const ended = new Promise<void>((resolve) => client.once('close', () => resolve(file.end())));
      running.add(ended);
      void ended.then(() => running.delete(ended));
    },
    ended: () => Promise.all(running),
  };
  function sinceOpening(openedAt: number): number {
    return Math.round((clock.now() - openedAt) * 1000) / 1000;
  }
}
