import Fastify from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { HTTP_TIMES } from '#loopback/limitUnauthenticatedConnections.ts';
import { closeSockets } from '../sockets/closeSockets.ts';
import {
  type Addresses,
  guardRequests,
  listenOnLoopback,
  refuseForeignUpgrade,
} from '../sockets/loopback.ts';
import { forwardAuth } from './forwardAuth.ts';
import { connectToPlatform } from './connectToPlatform.ts';
import { type RecordingOptions, createRecordings } from './recordings.ts';

/** The options of `startRecorder`. */
interface RecorderOptions extends RecordingOptions {
  /** The platform's {api_url} and {platform_url} (spec §4), without a slash at the end. */
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** 0 selects any free port. */
  readonly port: number;
}

/** A running recorder. */
interface RunningRecorder extends Addresses {
  /** Closes every socket (1001, no reason), completes the captures and frees the port. */
  stop(): Promise<void>;
}

/**
 * Starts a recording proxy between any client on this machine and a platform (contract §7), with a capture for each
 * connection, or for each session (`joins`). The account is in the path of each socket (spec §4.2) and in the response to each sign-in: both are passed on
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
        recordings.begin({ client, platform, path: request.url ?? '' });
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
      await recordings.stop();
      await app.close();
    },
  };
}
