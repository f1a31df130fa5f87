import type { IncomingHttpHeaders } from 'node:http';
import { type Socket, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../base/config.ts';

/** IPv4 addresses as an IPv6 socket has them. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** The port that some proxies add, and the brackets of IPv6 addresses. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/** Of a client that has reset its connection before its address was read. */
const UNKNOWN = 'unknown';

// A socket that is closed has no address, whatever Fastify's types say.
const addressOf = (hop: string | undefined) =>
  (hop ?? UNKNOWN).replace(WITH_PORT, '$1$2').replace(MAPPED, '');

/**
 * The address that a request came from: the peer of its connection, or, when that is a trusted proxy, the last address of
 * `X-Forwarded-For` that is not one. A client that sends the header itself only adds to its left end. What is not an
 * address is passed over for the nearest hop that is one.
 */
export const clientAddress = ({ ips, ip }: FastifyRequest): string =>
  ips?.map(addressOf).findLast((address) => isIP(address) !== 0) ?? addressOf(ip);

/** Makes a socket keep the address of its peer, which it has no more when the client has reset the connection. */
export const rememberAddress = (socket: Socket): string | undefined => socket.remoteAddress;

/** What proxies add. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const isForwarded = (headers: IncomingHttpHeaders) => FORWARDING.some((name) => headers[name] !== undefined);

/** Whether a program on this machine sent a request itself. What a proxy on this machine passes on may be from anywhere. */
export const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  isLoopback((socket.remoteAddress ?? '').replace(MAPPED, '')) && !isForwarded(headers);
