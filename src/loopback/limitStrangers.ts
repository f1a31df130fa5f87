import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type After, afterUnref } from './after.ts';

/** Times of a server on loopback, in milliseconds, in the shape of Fastify's options: no request is sent slowly there. */
export const HTTP_TIMES = {
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
} as const;

/** How many connections may be open on which nothing was let in, and for how long, in milliseconds. */
const LIMITS = {
  connections: 64,
  /** Younger ones are kept: a request follows its connection at once, and has not been read yet. */
  graceMs: 250,
  lifetimeMs: 10_000,
} as const;

/**
 * Closes connections on which no request was let in: the oldest when there are too many, each after its lifetime. A program
 * without the cookie can then neither use up this process's file handles nor keep its owner's browser out.
 *
 *   open ── letIn ─▶ known: Node's own timeouts apply
 *     └──── too many, or too old ─▶ closed
 *
 * @returns marks a connection as let in.
 */
export function limitStrangers(server: Server, after: After = afterUnref): (socket: Socket) => void {
  const strangers = new Map<Socket, () => void>();
  let isSweepDue = false;
  const forget = (socket: Socket) => {
    strangers.get(socket)?.();
    strangers.delete(socket);
  };
  const sweep = () => {
    isSweepDue = false;
    const surplus = Math.max(0, strangers.size - LIMITS.connections);
    for (const socket of [...strangers.keys()].slice(0, surplus)) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    strangers.set(
      socket,
      after(LIMITS.lifetimeMs, () => socket.destroy()),
    );
    socket.once('close', () => forget(socket));
    if (isSweepDue || strangers.size <= LIMITS.connections) return;
    isSweepDue = true;
    after(LIMITS.graceMs, sweep);
  });
  return forget;
}
