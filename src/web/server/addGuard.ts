import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, isSameSecret } from '#loopback/access.ts';
import { PRIVATE_HEADERS, admit, requestPath, refuseForeign, requirePageSecret } from '#loopback/guard.ts';
import { BRIDGE_PATH } from '../bridge/bridgeAddress.ts';
import { RESUME_PATH } from '../bridge/bridgeAddress.ts';
import { SECOND_INSTANCE_PATH } from './handOver.ts';

/** The access rules of a server. */
export interface AccessRules {
  /** `null` until the server has a port; requests are refused before. */
  access: Access | null;
  /** Marks a connection on which a request was admitted. */
  readonly admitted: (socket: FastifyRequest['socket']) => void;
}

/**
 * Adds one hook before every request and every upgrade, for known and unknown paths.
 * @param lockSecret returns the secret that a second process presents; `null` without a lock: then no hand-over is accepted.
 */
export function addGuard(
  fastify: FastifyInstance,
  rules: AccessRules,
  lockSecret: () => string | null,
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers(PRIVATE_HEADERS);
    // The connection of a refused upgrade ends with the response; the header tells the client not to reuse it.
    if (request.ws) reply.header('connection', 'close');
    const { access } = rules;
    if (access === null) return reply.code(503).send('Parley is starting.\n');
    if (isPost(request, SECOND_INSTANCE_PATH)) {
      return refuseForeign(access, request, reply) ?? requireLockSecret(lockSecret(), request, reply);
    }
    // It has its own check: the cookie of a page that is recognized again is of an earlier run.
    if (isPost(request, RESUME_PATH)) return refuseForeign(access, request, reply);
    const refused = admit(access, request, reply);
    if (refused !== undefined) return refused;
    rules.admitted(request.socket);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return reply
        .code(405)
        .header('allow', 'GET, HEAD')
        .send('405: This server accepts only GET and HEAD.\n');
    }
    return request.ws ? guardUpgrade(access, request, reply) : undefined;
  });
}

const isPost = (request: FastifyRequest, path: string) =>
  request.method === 'POST' && requestPath(request) === path;

/** Refuses a second process without the lock's secret, before its body is read; it has no cookie. */
function requireLockSecret(secret: string | null, { headers }: FastifyRequest, reply: FastifyReply) {
  const given = headers.authorization?.replace(/^Bearer /, '') ?? '';
  if (secret !== null && isSameSecret(given, secret)) return undefined;
  return reply.code(403).send('403: Only a second start of the same Parley may hand over.\n');
}

/** Refuses an upgrade unless it is the bridge's and the offered protocols contain the page's secret. */
function guardUpgrade(access: Access, request: FastifyRequest, reply: FastifyReply) {
  if (requestPath(request) !== BRIDGE_PATH)
    return reply.code(400).send(`400: Only ${BRIDGE_PATH} can be upgraded.\n`);
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return requirePageSecret(
    access,
    offered.split(',').map((name) => name.trim()),
    reply,
  );
}
