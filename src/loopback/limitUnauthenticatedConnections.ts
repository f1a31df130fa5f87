import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
