import type { IncomingMessage } from 'node:http';

/**
 * Whether a request may come in: it names this machine, and no other site's page sent it. A web page in a browser
 * can reach loopback, also under a name of its own that resolves to it; its `Origin` or `Host` then gives it away.
 * Programs send no `Origin`.
 */
export function mayEnter({ headers: { host, origin }, socket }: IncomingMessage): boolean {
  const names = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
  if (host === undefined || !names.includes(host.toLowerCase())) return false;
  return origin === undefined || origin === `http://${host}`;
}
