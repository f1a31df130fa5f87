import type { IncomingMessage } from 'node:http';

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
