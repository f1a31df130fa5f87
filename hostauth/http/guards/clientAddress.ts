import type { IncomingHttpHeaders } from 'node:http';
import { type Socket, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../base/config.ts';

/** The prefix of an IPv4 address on an IPv6 socket. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** An address with the port that some proxies add, or an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/** The address of a client that reset its connection before the address was read. */
const UNKNOWN = 'unknown';

// A closed socket has no address, though Fastify's types say so.
const addressOf = (hop: string | undefined) =>
  (hop ?? UNKNOWN).replace(WITH_PORT, '$1$2').replace(MAPPED, '');

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
