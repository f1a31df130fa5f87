import type { IncomingMessage } from 'node:http';

/** What a server on loopback accepts. */
interface Accepted {
  /** The names of this machine in `Host`; the port is always the server's own. */
  readonly names: readonly string[];
  /** Whether a page of this origin may send the request; the server's own may. */
  readonly mayComeFrom?: (origin: string) => boolean;
}

const NUMBER = '127.0.0.1';
const NAMES = [NUMBER, 'localhost'];
const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) && NAMES.includes(new URL(origin).hostname);

/** A server of our own pages. */
const PAGES: Accepted = { names: [NUMBER] };
/** A server of programs, which may also say `localhost`. */
export const PROGRAMS: Accepted = { names: NAMES };
/** A server of any client under test, also a web page that a server on another port of this machine serves. */
export const CLIENTS: Accepted = { names: NAMES, mayComeFrom: isLoopback };

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
  { names, mayComeFrom = () => false }: Accepted = PAGES,
): 400 | 403 | undefined {
  if (countOf('host', rawHeaders) > 1 || url?.startsWith('/') !== true) return 400;
  const hosts = names.map((name) => new URL(`http://${name}:${socket.localPort}`).host);
  if (host === undefined || !hosts.includes(host.toLowerCase())) return 403;
  const isOwn = origin === undefined || origin === `http://${host}`;
  return isOwn || mayComeFrom(origin) ? undefined : 403;
}

/** `rawHeaders` has names at even places, as they were sent. */
const countOf = (wanted: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === wanted).length;
