import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type PlatformAuth, platformAuth } from './platformAuth.ts';
import { type Inbox, platformInbox } from './platformInbox.ts';
import { type PlatformSocket, platformSocket } from './platformSocket.ts';

/**
 * What a WebSocket upgrade comes to: it is accepted, refused with an HTTP status, or `held`: the line stands and
 * nothing is said.
 */
export type UpgradeAnswer = 'accepted' | 'held' | number;

/** A platform whose every answer a test decides. Real HTTP, real WebSockets, a port of its own on 127.0.0.1. */
export interface ScriptedPlatform {
  /** The specification's {api_url} and {platform_url}. */
  readonly apiUrl: string;
  readonly platformUrl: string;
  readonly port: number;
  /** `POST /auth`: what was asked, and what is answered. */
  readonly auth: Pick<PlatformAuth, 'requests' | 'answer'>;
  /** The paths of all upgrades, whatever they came to. */
  readonly upgrades: Inbox<string>;
  /** Decides on every upgrade from now on. */
  answerUpgrades(with_: UpgradeAnswer): void;
  /** The WebSockets that were accepted. */
  readonly sockets: Inbox<PlatformSocket>;
  /** Whether pings are answered on sockets accepted from now on; at first they are. */
  answerPings(answers: boolean): void;
  /**
   * A few round trips on lines of their own: what this process began on another line before, a connection, a frame or
   * a close that fits the line's buffer, has arrived when this resolves. For saying that something did *not* happen.
   */
  roundTrip(): Promise<void>;
  /** Breaks all lines and frees the port. */
  stop(): Promise<void>;
}

/** Starts a platform; `port` names one, say of a platform that was stopped before. */
export async function startPlatform({ port = 0 } = {}): Promise<ScriptedPlatform> {
  const auth = platformAuth();
  const upgrades = platformInbox<string>();
  const sockets = platformInbox<PlatformSocket>();
  const held = new Set<Duplex>();
  let upgradeAnswer: UpgradeAnswer = 'accepted';
  let answersPings = true;

  const webSockets = new WebSocketServer({ noServer: true, autoPong: false });
  const server = createServer((request, response) => void auth.handle(request, response));
  server.on('upgrade', (request, line, head) => {
    const path = request.url ?? '';
    // A client may break a line that was refused or held.
    line.on('error', () => undefined);
    upgrades.push(path);
    if (upgradeAnswer === 'accepted') {
      webSockets.handleUpgrade(request, line, head, (socket) =>
        sockets.push(platformSocket(socket, { path, answersPings, line })),
      );
    } else if (upgradeAnswer === 'held') held.add(line);
    else line.end(`HTTP/1.1 ${upgradeAnswer} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${portOf(server.address())}`;

  return {
    apiUrl: `http://${host}`,
    platformUrl: `ws://${host}`,
    port: portOf(server.address()),
    auth,
    upgrades,
    sockets,
    answerUpgrades(next) {
      upgradeAnswer = next;
    },
    answerPings(answers) {
      answersPings = answers;
    },
    async roundTrip() {
      for (let trip = 0; trip < 3; trip++) await answerOf(`http://${host}/round-trip`);
    },
    async stop() {
      for (const line of held) line.destroy();
      for (const socket of sockets.all) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

const answerOf = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (response) => response.on('end', resolve).resume()).on('error', reject);
  });
