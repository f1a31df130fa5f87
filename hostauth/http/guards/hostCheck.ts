import type { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Socket, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../base/config.ts';

/** The options of `createHostCheck`. */
interface HostCheckOptions {
  /** The name or address on which the service listens. */
  readonly host: string;
  /** With TLS: the names in it are allowed too. */
  readonly certificate: X509Certificate | null;
}

/** Whether a request names this service and was not sent by a page of another site (contract §8). */
export type HostCheck = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

const OWN = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

/**
 * Creates the check of `Host` and `Origin`. A page in a browser can reach loopback, also under a name that resolves to it,
 * but then its `Host` or `Origin` is that of another site. Programs send no `Origin`.
 */
export function createHostCheck({ host, certificate }: HostCheckOptions): HostCheck {
  const names = new Set([...OWN, bracketed(host).toLowerCase()]);
  const scheme = certificate === null ? 'http' : 'https';
  const defaultPort = certificate === null ? 80 : 443;

  function isOurs(name: string): boolean {
    if (names.has(name)) return true;
    if (certificate === null) return false;
    const bare = name.replace(/^\[|\]$/g, '');
    return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
  }

  return ({ headers, socket }) => {
    const asked = headers.host?.toLowerCase();
    const parts = asked === undefined ? null : HOST.exec(asked);
    if (parts === null) return false;
    const [, name = '', port = String(defaultPort)] = parts;
    if (port !== String(socket.localPort) || !isOurs(name)) return false;
    return headers.origin === undefined || headers.origin.toLowerCase() === `${scheme}://${asked}`;
  };
}

/** The options of `appHostOf`. */
interface AppHostOptions {
  readonly appHosts: readonly string[];
  readonly mayEnter: HostCheck;
}

/**
 * Returns the app that a request is for; `undefined` when it is for none, or was sent by a page of another site. The proxy
 * in front of an app speaks TLS.
 */
export function appHostOf(
  { raw, headers, host: forwarded }: FastifyRequest,
  { appHosts, mayEnter }: AppHostOptions,
): string | undefined {
  const asked = headers.host?.toLowerCase();
  // Traefik asks under the address of this service, and names the app in X-Forwarded-Host.
  const isOwn = mayEnter({ socket: raw.socket, headers: { host: asked } });
  const host = isOwn ? forwarded.toLowerCase() : asked;
  if (host === undefined || !appHosts.includes(host)) return undefined;
  return headers.origin === undefined || headers.origin.toLowerCase() === `https://${host}`
    ? host
    : undefined;
}

/** The prefix of an IPv4 address on an IPv6 socket. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** An address with the port that some proxies add, or an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/** The address of a client that reset its connection before the address was read. */
const UNKNOWN = 'unknown';

// A closed socket has no address, though Fastify's types say so.
function addressOf(hop: string | undefined = UNKNOWN): string {
  return hop.includes(':') ? hop.replace(WITH_PORT, '$1$2').replace(MAPPED, '') : hop;
}

/**
 * Returns the address of a request's client: the peer of its connection or, if that is a trusted proxy, the last address of
 * `X-Forwarded-For` that is not a trusted proxy's. A client that sends the header itself only adds to its left end. Items
 * that are not addresses are skipped.
 */
export const clientAddress = ({ ips, ip }: FastifyRequest): string =>
  ips?.map(addressOf).findLast((address) => isIP(address) !== 0) ?? addressOf(ip);

/** Reads the address of a socket's peer. Node caches it; after a reset by the client it cannot be read any more. */
export const rememberAddress = (socket: Socket): string | undefined => socket.remoteAddress;

/** The header fields that proxies add. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const isForwarded = (headers: IncomingHttpHeaders) => FORWARDING.some((name) => headers[name] !== undefined);

/** Returns whether a program on this machine sent a request itself: a request through a proxy can come from anywhere. */
export const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopback((socket.remoteAddress ?? '').replace(MAPPED, '')) && !isForwarded(headers);
