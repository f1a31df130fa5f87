import type { IncomingMessage } from 'node:http';

/** The names of this machine that a server on loopback may be addressed by; a page of ours has the first. */
export const NUMBER = '127.0.0.1';
export const NUMBER_OR_NAME: readonly string[] = [NUMBER, 'localhost'];

/** The text of the refusal, by its status. */
export const FOREIGN_WORDS = {
  400: 'A request has one Host header and names a path.',
  403: 'Only programs on this machine may enter.',
} as const;

/**
 * The status with which a request is refused before anything else is looked at, or `undefined` when it is for this very
 * server. A web page in a browser can reach loopback, also under a name of its own that resolves to it; its `Origin` or
 * `Host` then gives it away. Programs send no `Origin`.
 *
 * - 400: more than one `Host` (Node keeps the first of them; something in front of it may have judged by another), or a target
 *   that is no path: it would name a host of its own.
 * - 403: the `Host` is not this server's, or the `Origin` is another one.
 */
export function foreignStatus(
  { headers: { host, origin }, rawHeaders, url, socket }: IncomingMessage,
  names: readonly string[] = [NUMBER],
): 400 | 403 | undefined {
  if (countOf('host', rawHeaders) > 1 || url?.startsWith('/') !== true) return 400;
  const hosts = names.map((name) => new URL(`http://${name}:${socket.localPort}`).host);
  if (host === undefined || !hosts.includes(host.toLowerCase())) return 403;
  return origin === undefined || origin === `http://${host}` ? undefined : 403;
}

/** `rawHeaders` has names at even places, as they were sent. */
const countOf = (wanted: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === wanted).length;
