import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { NO_LOOPBACK, isNoLoopback } from '#loopback/access.ts';
import { CLIENTS, FOREIGN_TEXTS, HTTP_TIMES, foreignStatus } from '#loopback/guard.ts';
import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import type { Clock } from '#shared/clock.ts';
import { UsageError } from '../base/errors.ts';

/**
 * Listens on loopback only, and returns the address; port 0 selects any free port.
 * @throws {UsageError} when the port is not available.
 */
export async function listenOnLoopback(app: FastifyInstance, port: number): Promise<string> {
  try {
    return await app.listen({ port, host: '127.0.0.1' });
  } catch (error) {
    const text = `port ${port} is not available; free it, or use another one (0 selects any free port)`;
    throw new UsageError(isNoLoopback(error) ? NO_LOOPBACK : text, { cause: error });
  }
}

export type SignInRequest = FastifyRequest<{ Body: Buffer | undefined }>;

/** Accepts or refuses a client. */
export type Answer = (isAccepted: boolean, status?: number) => void;

interface LoopbackServer {
  /** 0 selects any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly sockets?: ServerOptions;
  /** Answers `POST /auth`. */
  readonly signIn: (request: SignInRequest, reply: FastifyReply) => unknown;
  /** Accepts a client, or refuses it with a status; by default, all are accepted. */
  readonly verify?: (request: IncomingMessage, answer: Answer) => void;
  readonly onClient: (client: WebSocket, request: IncomingMessage) => void;
}

/**
 * Starts a server on loopback. It refuses requests and upgrades with a foreign `Host` or `Origin`: any web page
 * can reach loopback, and this server has a person's conversation. `stop` closes every socket (1001, no reason) and frees the port.
 * @throws {UsageError} when the port is not available.
 */
export async function startLoopbackServer({ port, clock, signIn, onClient, ...options }: LoopbackServer) {
  const app = Fastify({ ...HTTP_TIMES, logger: false, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ raw }, reply) => {
    const status = foreignStatus(raw, CLIENTS);
    return status && reply.code(status).send(FOREIGN_TEXTS[status]);
  });
  app.post('/auth', signIn);
  const sockets = new WebSocketServer({
    ...options.sockets,
    noServer: true,
    verifyClient({ req }: { req: IncomingMessage }, answer) {
      const status = foreignStatus(req, CLIENTS);
      if (status !== undefined) answer(false, status);
      else if (options.verify === undefined) answer(true);
      else options.verify(req, answer);
    },
  });
  app.server.on('upgrade', (...upgrade) => sockets.handleUpgrade(...upgrade, onClient));
  const apiUrl = await listenOnLoopback(app, port);
  return {
    apiUrl,
    platformUrl: apiUrl.replace('http', 'ws'),
    async stop() {
      await closeSockets(sockets.clients, clock);
      await app.close();
    },
  };
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
