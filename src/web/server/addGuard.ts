import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, isSame } from '#loopback/access.ts';
import { PRIVATE_HEADERS, admit, pathOf, refuseForeign, requirePageSecret } from '#loopback/guard.ts';
import { BRIDGE_PATH } from '../bridge/bridgeAddress.ts';
import { SECOND_INSTANCE_PATH } from './handOver.ts';

/** The rules of access, once there is a port: no request comes in before. */
export interface Doors {
  access: Access | null;
  /** Marks a connection as its owner's: a request on it was let in. */
  readonly letIn: (socket: FastifyRequest['socket']) => void;
}

/**
 * One hook stands before every request and every upgrade, known path or not.
 * @param lockSecret what a second process presents; `null` where there is no lock, and no hand-over is accepted.
 */
export function addGuard(fastify: FastifyInstance, doors: Doors, lockSecret: () => string | null): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(PRIVATE_HEADERS);
    // The connection of a refused upgrade ends with the response: said, so that no client sends its next request on it.
    if (request.ws) reply.header('connection', 'close');
    const { access } = doors;
    if (access === null) return reply.code(503).send('Parley is starting.\n');
    if (isHandOver(request)) {
      return refuseForeign(access, request, reply) ?? requireLockSecret(lockSecret(), request, reply);
    }
    const refused = admit(access, request, reply);
    if (refused !== undefined) return refused;
    doors.letIn(request.socket);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply.code(405).header('allow', 'GET, HEAD').send('Parley is only read here.\n');
    }
    return request.ws ? guardUpgrade(access, request, reply) : undefined;
  });
}

const isHandOver = (request: FastifyRequest) =>
  request.method === 'POST' && pathOf(request) === SECOND_INSTANCE_PATH;

/** A second process has no cookie. Checked before its body is read. */
function requireLockSecret(secret: string | null, { headers }: FastifyRequest, reply: FastifyReply) {
  const given = headers.authorization?.replace(/^Bearer /, '') ?? '';
  if (secret !== null && isSame(given, secret)) return undefined;
  return reply.code(403).send('403: Only a second start of the same Parley may hand over.\n');
}

/** Only the bridge upgrades, and only for a page that has its origin's secret among the protocols that it offers. */
function guardUpgrade(access: Access, request: FastifyRequest, reply: FastifyReply) {
  if (pathOf(request) !== BRIDGE_PATH) return reply.code(400).send(`400: Only ${BRIDGE_PATH} upgrades.\n`);
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return requirePageSecret(
    access,
    offered.split(',').map((name) => name.trim()),
    reply,
  );
}
