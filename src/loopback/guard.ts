import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { type Access, isSameSecret } from './access.ts';

/** The headers of every response, also of refusals: the response is for this page only and is never stored. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const querySchema = z.object({ token: z.string() });

/** Returns the path of a request without its query. */
export const requestPath = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

/** Refuses a request that is not for this server (see `foreignStatus`); returns the response that was sent. */
export function refuseForeign(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const status = foreignStatus(request.raw);
  if (status === undefined) return undefined;
  const text = status === 400 ? `400: ${FOREIGN_TEXTS[400]}\n` : access.refusal('foreign');
  return refuse(reply, status, text);
}

/**
 * Admits a request, or refuses it and returns the response that was sent. A valid token sets the cookie. The request's
 * cookies must have been parsed (@fastify/cookie).
 */
export function admit(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const refused = refuseForeign(access, request, reply);
  if (refused !== undefined) return refused;
  const decision = access.check({
    method: request.method,
    cookie: request.cookies[access.cookieName],
    token: requestPath(request) === '/' ? querySchema.safeParse(request.query).data?.token : undefined,
  });
  if (decision === 'unknown') return refuse(reply, 403, access.refusal('unknown'));
  if (decision === 'exchange') reply.header('set-cookie', access.cookie);
  return undefined;
}

/**
 * Returns the secret for the page of this response: only the request that used a token receives it. Every resource with a
 * person's data requires it in addition to the cookie, which the browser also sends to every other port.
 */
export const pageSecretFor = (access: Access, reply: FastifyReply): string | undefined =>
  reply.hasHeader('set-cookie') ? access.pageSecret : undefined;

/** Refuses a request without the page's secret; returns the response that was sent. */
export function requirePageSecret(
  access: Access,
  given: readonly string[],
  reply: FastifyReply,
): FastifyReply | undefined {
  if (given.some((secret) => isSameSecret(secret, access.pageSecret))) return undefined;
  return refuse(reply, 403, access.refusal('unknown'));
}

const refuse = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text);

/** The hosts and origins that a server on loopback accepts. */
interface Accepted {
  /** The names of this machine in `Host`; the port is always the server's own. */
  readonly names: readonly string[];
  /** Returns whether a page of another origin may send the request. The server's own origin always may. */
  readonly acceptsOrigin?: (origin: string) => boolean;
}

const ADDRESS = '127.0.0.1';
const NAMES = [ADDRESS, 'localhost'];
const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && NAMES.includes(new URL(origin).hostname);

/** For a server of our own pages. */
const PAGES: Accepted = { names: [ADDRESS] };
/** For a server of programs, which may also use `localhost`. */
export const PROGRAMS: Accepted = { names: NAMES };
/** For a server of any client under test, also of a web page from another port of this machine. */
export const CLIENTS: Accepted = { names: NAMES, acceptsOrigin: isLoopback };

/** The text of the refusal, by its status. */
export const FOREIGN_TEXTS = {
  400: 'A request has one Host header and names a path.',
  403: 'Only programs on this machine may enter.',
} as const;

/**
 * Returns the status with which a request is refused before any other check; `undefined` when it is for this server. A web
 * page in a browser can reach loopback, also by a host name of its own that resolves to it; its `Origin` or `Host` shows
 * this. Programs send no `Origin`.
 *
 * - 400: more than one `Host` (Node keeps the first; a proxy may have checked another one), or a target that is not a path: it
 *   would name another host.
 * - 403: the `Host` is not this server's, or the `Origin` is another one.
 */
export function foreignStatus(
  { headers: { host, origin }, rawHeaders, url, socket }: IncomingMessage,
  { names, acceptsOrigin = () => false }: Accepted = PAGES,
): 400 | 403 | undefined {
  if (countHeaders('host', rawHeaders) > 1 || url?.startsWith('/') !== true) return 400;
  const hosts = names.map((name) => new URL(`http://${name}:${socket.localPort}`).host);
  if (host === undefined || !hosts.includes(host.toLowerCase())) return 403;
  const isOwn = origin === undefined || origin === `http://${host}`;
  return isOwn || acceptsOrigin(origin) ? undefined : 403;
}

/** Counts the headers with a name. `rawHeaders` has the names at even indexes. */
const countHeaders = (wanted: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === wanted).length;

/** Timeouts of a server on loopback, in milliseconds, as Fastify's options: no request is slow there. */
export const HTTP_TIMES = {
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
} as const;

/** The maximum number and lifetime of connections without an admitted request. Times are in milliseconds. */
const LIMITS = {
  connections: 64,
  /** Younger connections are kept: their first request may not have been read yet. */
  graceMs: 250,
  lifetimeMs: 10_000,
} as const;

/**
 * Closes connections on which no request was admitted: the oldest when there are too many, each after its lifetime. A
 * program without the cookie can then neither use up this process's file handles nor block its owner's browser.
 *
 *   open ── admitted ─▶ known: Node's own timeouts apply
 *     └──── too many, or too old ─▶ closed
 *
 * @returns a function that marks a connection as admitted.
 */
export function limitUnauthenticatedConnections(
  server: Server,
  after: After = afterUnref,
): (socket: Socket) => void {
  const unauthenticated = new Map<Socket, () => void>();
  let isSweepDue = false;
  const forget = (socket: Socket) => {
    unauthenticated.get(socket)?.();
    unauthenticated.delete(socket);
  };
  const sweep = () => {
    isSweepDue = false;
    const surplus = Math.max(0, unauthenticated.size - LIMITS.connections);
    for (const socket of [...unauthenticated.keys()].slice(0, surplus)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    unauthenticated.set(
      socket,
      after(LIMITS.lifetimeMs, () => socket.destroy()),
    );
    socket.once('close', () => forget(socket));
    if (isSweepDue || unauthenticated.size <= LIMITS.connections) return;
    isSweepDue = true;
    after(LIMITS.graceMs, sweep);
  });
  return forget;
}

/** Runs a task after `ms` milliseconds; returns a function that cancels it. */
export type After = (ms: number, task: () => void) => () => void;

/** Uses the system's timers; they do not keep the process running. */
export const afterUnref: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};
