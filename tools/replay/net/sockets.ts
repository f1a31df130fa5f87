import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { CLIENTS, FOREIGN_TEXTS, foreignStatus, HTTP_TIMES } from '#loopback/guard.ts';
import { NO_LOOPBACK, isNoLoopback } from '#loopback/access.ts';
import { UsageError } from '../base/errors.ts';
import { once } from 'node:events';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '#shared/clock.ts';
import { isUtf8 } from 'node:buffer';
import type { FrameRecord } from '#shared/capture/captureFormat.ts';

const HOST = '127.0.0.1';

/** The addresses of a server of this tool, for `PARLEY_API_URL` and `PARLEY_PLATFORM_URL`. */
export interface Addresses {
  readonly apiUrl: string;
  readonly platformUrl: string;
}

/**
 * Listens on loopback only; port 0 selects any free port.
 * @throws {UsageError} when the port is not available.
 */
export async function listenOnLoopback(app: FastifyInstance, port: number): Promise<Addresses> {
  try {
    await app.listen({ port, host: HOST });
  } catch (error) {
    const text = `port ${port} is not available; free it, or use another one (0 selects any free port)`;
    throw new UsageError(isNoLoopback(error) ? NO_LOOPBACK : text, { cause: error });
  }
  const address = app.server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return { apiUrl: `http://${HOST}:${actual}`, platformUrl: `ws://${HOST}:${actual}` };
}

/** Returns the ready line with the settings, which can be pasted before a command. */
export const readyLine = (what: string, { apiUrl, platformUrl }: Addresses): string =>
  `${what}: PARLEY_API_URL=${apiUrl} PARLEY_PLATFORM_URL=${platformUrl}\n`;

interface LoopbackServer {
  /** 0 selects any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly sockets: WebSocketServer;
  readonly addRoutes: (app: FastifyInstance) => void;
  readonly onUpgrade: (request: IncomingMessage, upgrade: Duplex, head: Buffer) => void;
}

/**
 * Starts a server on loopback, with a parser of its own for bodies. It refuses requests and upgrades with a foreign `Host` or `Origin`: any web page
 * can reach loopback, and this server has a person's conversation. `stop` closes every socket (1001, no reason) and frees the port.
 * @throws {UsageError} when the port is not available.
 */
export async function startLoopbackServer({ port, clock, sockets, addRoutes, onUpgrade }: LoopbackServer) {
  const app = Fastify({ ...HTTP_TIMES, logger: false, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', async ({ raw }, reply) => {
    const status = foreignStatus(raw, CLIENTS);
    return status && reply.code(status).send(FOREIGN_TEXTS[status]);
  });
  addRoutes(app);
  app.server.on('upgrade', (request, upgrade, head) => {
    // A client may disconnect while it is refused, or while it waits for the platform.
    upgrade.on('error', () => {});
    const status = foreignStatus(request, CLIENTS);
    if (status === undefined) onUpgrade(request, upgrade, head);
    else refuseUpgrade(upgrade, `${status} ${STATUS_CODES[status]}`);
  });
  const addresses = await listenOnLoopback(app, port);
  return {
    ...addresses,
    async stop() {
      await closeSockets(sockets.clients, clock);
      await app.close();
    },
  };
}

/** Refuses an upgrade with a status and ends the connection. */
export function refuseUpgrade(socket: NodeJS.WritableStream, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** "Going away". The reason stays empty, so that clients reconnect later (spec §3.2). */
const GOING_AWAY = 1001;
/** After this time, the socket of a peer that does not answer the close is terminated. */
const CLOSE_TIMEOUT_MS = 500;

/** Closes sockets and waits until all are closed. */
async function closeSockets(sockets: Iterable<WebSocket>, clock: Clock): Promise<void> {
  const open = [...sockets].filter(({ readyState, CLOSED }) => readyState !== CLOSED);
  const closed = open.map((socket) => once(socket, 'close'));
  const cancel = clock.after(CLOSE_TIMEOUT_MS, () => open.forEach((socket) => socket.terminate()));
  for (const socket of open) socket.close(GOING_AWAY);
  await Promise.all(closed);
  cancel();
}

const NO_CODE = 1005;
/** Codes for a missing or unreadable close frame: they are never on the wire. */
const UNSENDABLE: ReadonlySet<number> = new Set([1006, 1015]);

/** Closes a socket so that its peer sees this code and reason: 1005 sends an empty frame, 1006 breaks the connection. */
export function closeAs(socket: WebSocket, code: number, reason: string): void {
  if (UNSENDABLE.has(code)) socket.terminate();
  else if (code === NO_CODE) socket.close();
  else socket.close(code, reason);
}

/** Converts a frame from a socket to its form in a capture: text, or base64 when it is not text. */
export const frameData = (data: Buffer, isBinary: boolean): Pick<FrameRecord, 'data' | 'encoding'> =>
  isBinary || !isUtf8(data)
    ? { data: data.toString('base64'), encoding: 'base64' }
    : { data: data.toString() };
