import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import Fastify from 'fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { Access, NO_LOOPBACK, isNoLoopback, isSameSecret } from '#loopback/access.ts';
import {
  PRIVATE_HEADERS,
  pageSecretFor,
  requestPath,
  admit,
  refuseForeign,
  requirePageSecret,
  HTTP_TIMES,
  limitUnauthenticatedConnections,
} from '#loopback/guard.ts';
import { errorCode } from '#shared/formatText.ts';
import {
  type BridgeSocket,
  PAGE_FRAME_BYTES,
  type ToHost,
  readFromPage,
  BRIDGE_PATH,
  BRIDGE_PROTOCOL,
  RESUME_PATH,
} from '../bridge/bridge.ts';
import { type Resume, resumeSchema } from './resume.ts';

/** The path to which a second process sends its request. */
export const SECOND_INSTANCE_PATH = '/-/second-instance';

/** The request of the second process: the arguments of Electron's `second-instance`. */
export const secondInstanceSchema = z.object({ argv: z.array(z.string()), workingDirectory: z.string() });
/** The request of the second process. */
export type SecondInstance = z.infer<typeof secondInstanceSchema>;

/** The response of the first process: an address with a token, and the redirect page when a browser is to be opened. */
export const handOverAnswerSchema = z.object({ ready: z.string(), open: z.string().nullable() });
/** The response of the first process. */
export type HandOverAnswer = z.infer<typeof handOverAnswerSchema>;

/** The parts of the host that the server uses. */
export interface ServerDeps {
  /** Random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
  /** Connects a page; returns the listeners for its messages and for its disconnection. */
  readonly connect: (
    socket: BridgeSocket,
    path: string,
  ) => {
    onMessage: (message: ToHost) => void;
    onClose: () => void;
  };
  /**
   * Returns the response to a request for a path: main's document or file; `null` for a path that tries to leave the host. A
   * document contains the page's secret when there is one.
   */
  readonly answer: (path: string, pageSecret: string | undefined) => Promise<Response | null>;
  /** Returns the file of the preload, if there is one. */
  readonly preload: () => string | undefined;
  readonly permissionsPolicy: () => string;
  /** Returns the secret of the lock; `null` without a lock: then no hand-over is accepted. */
  readonly secret: () => string | null;
  readonly resume: Resume;
  readonly secondInstance: (start: SecondInstance, access: Access) => HandOverAnswer;
}

/** A server that listens. */
export interface Server {
  readonly port: number;
  readonly access: Access;
  stop(): Promise<void>;
}

/** The server cannot listen. `message` is one line that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(
    message: string,
    /** The process's: 2 when a setting is wrong, else 1. */
    readonly exitStatus: 1 | 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const PARLEY = { name: 'Parley', command: 'npm start' };
const WEBSOCKET = { maxPayload: PAGE_FRAME_BYTES, handleProtocols: () => BRIDGE_PROTOCOL };
const FIRST_PORT = 4310;
const LAST_PORT = 65_535;

/**
 * Starts the server on 127.0.0.1 only (contract §2).
 * @param wanted the port; `null`: 4310 or the next free one; 0: any.
 * @throws {ListenError} when the given port is in use, or 127.0.0.1 does not exist.
 */
export async function startServer(deps: ServerDeps, wanted: number | null): Promise<Server> {
  for (let port = wanted ?? FIRST_PORT; port <= LAST_PORT; port += 1) {
    const server = await listen(deps, port);
    if (server !== null) return server;
    if (wanted !== null) break;
  }
  throw new ListenError(
    `PARLEY_PORT: port ${wanted} is in use, or reserved for root; set another one, or 0 for any free port`,
    2,
  );
}

async function listen(deps: ServerDeps, wanted: number): Promise<Server | null> {
  const fastify = Fastify({
    ...HTTP_TIMES,
    logger: false,
    bodyLimit: 64 * 1024,
    forceCloseConnections: true,
  });
  const rules: AccessRules = { access: null, admitted: limitUnauthenticatedConnections(fastify.server) };
  await fastify.register(cookie);
  await fastify.register(websocket, { options: WEBSOCKET });
  addGuard(fastify, rules, deps.secret);
  addRoutes(fastify, deps, rules);
  addResume(fastify, deps, rules);
  try {
    await fastify.listen({ host: '127.0.0.1', port: wanted });
  } catch (error) {
    await fastify.close();
    if (isUnavailable(error)) return null;
    throw isNoLoopback(error) ? new ListenError(NO_LOOPBACK, 1, { cause: error }) : error;
  }
  const port = portOf(fastify) ?? wanted;
  const access = new Access({ port, random: deps.random, program: PARLEY });
  rules.access = access;
  return { port, access, stop: () => stop(fastify) };
}

/** Returns whether the port is in use or forbidden. */
const isUnavailable = (error: unknown) => errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES';

function portOf(fastify: FastifyInstance): number | undefined {
  const address = fastify.server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

/** Closes every connection at once: open pages would delay the end of the process. */
async function stop(fastify: FastifyInstance): Promise<void> {
  for (const client of fastify.websocketServer.clients) client.terminate();
  await fastify.close();
}

function addRoutes(fastify: FastifyInstance, deps: ServerDeps, rules: AccessRules): void {
  fastify.get(BRIDGE_PATH, { websocket: true }, (socket, { query }) => bridge(socket, pageIn(query), deps));
  fastify.get('/-/preload.js', async (_request, reply) => {
    const file = deps.preload();
    return reply.type('text/javascript; charset=utf-8').send(file === undefined ? '' : await readFile(file));
  });
  fastify.get('/*', async (request, reply) => {
    const pageSecret = rules.access === null ? undefined : pageSecretFor(rules.access, reply);
    const response = await deps.answer(requestPath(request), pageSecret);
    return response === null
      ? reply.code(404).send('404: There is nothing at this address.\n')
      : pass(response, reply, deps);
  });
  fastify.post(SECOND_INSTANCE_PATH, { errorHandler: refuseBody }, async (request, reply) => {
    const start = secondInstanceSchema.safeParse(request.body);
    if (rules.access === null || !start.success) return reply.code(400).send(NOT_A_START);
    return deps.secondInstance(start.data, rules.access);
  });
}

/** Lets a page and the host recognize each other again, and signs the page in: see `Resume`. */
function addResume(fastify: FastifyInstance, { resume }: ServerDeps, rules: AccessRules): void {
  fastify.post(RESUME_PATH, { errorHandler: refuseResume }, async (request, reply) => {
    const given = resumeSchema.safeParse(request.body).data;
    const port = request.socket.localPort;
    if (rules.access === null || given === undefined || port === undefined)
      return reply.code(400).send(NOT_A_PAGE);
    if (given.proof === undefined) return resume.prove(given.nonce, port);
    if (!resume.accepts(given, port)) return reply.code(403).send(rules.access.refusal('unknown'));
    return reply.header('set-cookie', rules.access.cookie).send({ pageSecret: rules.access.pageSecret });
  });
}

const NOT_A_PAGE = '400: This is not the request of a page.\n';

const refuseResume = (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void =>
  void reply.code(400).send(NOT_A_PAGE);

const NOT_A_START = '400: This is not the request of a second start of Parley.\n';

/** Refuses a body that Fastify cannot read: too large, of another type, or not JSON. */
function refuseBody(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const isOurs = (error.statusCode ?? 500) >= 500;
  void reply
    .code(isOurs ? 500 : 400)
    .send(isOurs ? '500: The second start could not be handed over.\n' : NOT_A_START);
}

/** A file of our build, whose name contains a hash of its content, is stored by the browser; nothing else is. */
const cacheControlOf = (request: FastifyRequest, { ok }: Response): string =>
  ok && requestPath(request).startsWith('/assets/')
    ? 'private, max-age=31536000, immutable'
    : PRIVATE_HEADERS['cache-control'];

/** Sends main's response with the host's own headers. */
async function pass(response: Response, reply: FastifyReply, deps: ServerDeps): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  const policy = deps.permissionsPolicy();
  if (policy !== '') reply.header('permissions-policy', policy);
  return reply
    .removeHeader('content-length')
    .headers({ ...PRIVATE_HEADERS, 'cache-control': cacheControlOf(reply.request, response) })
    .send(Buffer.from(await response.arrayBuffer()));
}

const bridgeSchema = z.object({ page: z.string() });

/** Returns the path of the page that connects. */
const pageIn = (query: unknown) => bridgeSchema.safeParse(query).data?.page ?? '/';

function bridge(socket: WebSocket, path: string, deps: ServerDeps): void {
  const page: BridgeSocket = {
    isOpen: () => socket.readyState === WebSocket.OPEN,
    send: sendWithinBuffer(socket),
  };
  const { onMessage, onClose } = deps.connect(page, path);
  socket.on('message', (data: Buffer) => {
    const message = read(data.toString());
    if (message === null) socket.close(1007, 'not a message of the bridge');
    else onMessage(message);
  });
  socket.on('close', onClose);
  // A close follows every error.
  socket.on('error', () => {});
}

function read(frame: string): ToHost | null {
  try {
    return readFromPage(frame);
  } catch {
    return null;
  }
}

/** A page with more unsent bytes than this does not read. */
export const PAGE_BUFFER_BYTES = 32 * 1024 * 1024;

interface Buffered {
  /** Bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  send(frame: string): void;
  terminate(): void;
}

/**
 * Returns a function that sends frames to a page while it reads. The connection of a page that does not read is terminated,
 * so that it does not fill this process's memory; the page connects again later and fetches the state. A single frame may
 * have any size and does not count against later frames.
 */
export function sendWithinBuffer(socket: Buffered): (frame: string) => void {
  let limit = PAGE_BUFFER_BYTES;
  return (frame) => {
    const waiting = socket.bufferedAmount;
    if (waiting === 0) limit = PAGE_BUFFER_BYTES;
    if (waiting > limit) return socket.terminate();
    limit = Math.max(limit, PAGE_BUFFER_BYTES + frame.length);
    return socket.send(frame);
  };
}

/** The access rules of a server. */
interface AccessRules {
  /** `null` until the server has a port; requests are refused before. */
  access: Access | null;
  /** Marks a connection on which a request was admitted. */
  readonly admitted: (socket: FastifyRequest['socket']) => void;
}

/**
 * Adds one hook before every request and every upgrade, for known and unknown paths.
 * @param lockSecret returns the secret that a second process presents; `null` without a lock: then no hand-over is accepted.
 */
function addGuard(fastify: FastifyInstance, rules: AccessRules, lockSecret: () => string | null): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(PRIVATE_HEADERS);
    // The connection of a refused upgrade ends with the response; the header tells the client not to reuse it.
    if (request.ws) reply.header('connection', 'close');
    const { access } = rules;
    if (access === null) return reply.code(503).send('Parley is starting.\n');
    if (isPost(request, SECOND_INSTANCE_PATH)) {
      return refuseForeign(access, request, reply) ?? requireLockSecret(lockSecret(), request, reply);
    }
    // It has its own check: the cookie of a page that is recognized again is of an earlier run.
    if (isPost(request, RESUME_PATH)) return refuseForeign(access, request, reply);
    const refused = admit(access, request, reply);
    if (refused !== undefined) return refused;
    rules.admitted(request.socket);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .send('405: This server accepts only GET and HEAD.\n');
    }
    return request.ws ? guardUpgrade(access, request, reply) : undefined;
  });
}

const isPost = (request: FastifyRequest, path: string) =>
  request.method === 'POST' && requestPath(request) === path;

/** Refuses a second process without the lock's secret, before its body is read; it has no cookie. */
function requireLockSecret(secret: string | null, { headers }: FastifyRequest, reply: FastifyReply) {
  const given = headers.authorization?.replace(/^Bearer /, '') ?? '';
  if (secret !== null && isSameSecret(given, secret)) return undefined;
  return reply.code(403).send('403: Only a second start of the same Parley may hand over.\n');
}

/** Refuses an upgrade unless it is the bridge's and the offered protocols contain the page's secret. */
function guardUpgrade(access: Access, request: FastifyRequest, reply: FastifyReply) {
  if (requestPath(request) !== BRIDGE_PATH)
    return reply.code(400).send(`400: Only ${BRIDGE_PATH} can be upgraded.\n`);
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return requirePageSecret(
    access,
    offered.split(',').map((name) => name.trim()),
    reply,
  );
}
