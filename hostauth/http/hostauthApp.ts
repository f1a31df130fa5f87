import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonSchemaTransform, validatorCompiler } from 'fastify-type-provider-zod';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { Problem } from '../api/problems.ts';
import type { Clock } from '../base/clock.ts';
import type { UsersMode } from '../base/config.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { answerWithProblems } from './fastifyOptions.ts';
import { createAccountGuard } from './guards/accountGuard.ts';
import type { Audit } from './guards/audit.ts';
import { type DelayFailure, createFailureLimit } from './guards/failureLimit.ts';
import { type HostCheck, clientAddress, rememberAddress } from './guards/hostCheck.ts';
import type { Metrics } from './guards/metrics.ts';
import type { Sessions } from './guards/sessions.ts';
import { apps } from './routes/apps.ts';
import { auth } from './routes/auth.ts';
import { operations } from './routes/operations.ts';
import { logout, me, sessionsRoutes } from './routes/sessionRoutes.ts';
import { users } from './routes/users.ts';

const SWEEP_MS = 1000;
/** The most addresses and usernames whose failures are counted. */
const REMEMBERED = 10_000;

/** The dependencies of the app; `startServer` passes the real ones. */
export interface AppOptions {
  readonly logger: Logger;
  readonly helper: Helper;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly mayEnter: HostCheck;
  /** The hosts of apps; none: the service has no calls for them. */
  readonly appHosts?: readonly string[];
  /** Failed sign-ins a minute, for one address and username together. */
  readonly failures: number;
  /** Failed sign-ins a minute, for one address with any usernames. */
  readonly addressFailures: number;
  readonly delayFailure: DelayFailure;
  /** Who may create users. */
  readonly users: UsersMode;
  /** Maximum requests to create a user, per caller and minute; 60 by default. */
  readonly usersAMinute?: number;
  /** Whether browsers must use TLS only. */
  readonly tls: boolean;
}

/** Adds the host-account authentication service (spec §4.3, contract §8) to a Fastify with `fastifyOptions`. */
export async function hostauthApp(fastify: FastifyInstance, options: AppOptions): Promise<void> {
  // zod neither coerces nor removes fields, as `coerceTypes` and `removeAdditional` would.
  fastify.setValidatorCompiler(validatorCompiler);
  // The compiler checks the types of answers: they need no check at run time.
  fastify.setSerializerCompiler(() => JSON.stringify);
  answerWithProblems(fastify, options.logger);
  await protect(fastify, options);
  drainOnClose(fastify);
  const guard = createAccountGuard(options);
  observe(fastify, options);
  const stopGuard = guard.start();
  fastify.addHook('onClose', () => stopGuard());
  await document(fastify);
  fastify.removeContentTypeParser('text/plain');
  const failureLimit = createFailureLimit(fastify, options);
  await fastify.register(auth, { ...options, failureLimit });
  await fastify.register(me, { ...options, guard });
  await fastify.register(logout, options);
  await fastify.register(sessionsRoutes, { ...options, guard });
  await fastify.register(users, { ...options, guard });
  await fastify.register(operations, options);
  const { appHosts = [] } = options;
  if (appHosts.length > 0) await fastify.register(apps, { ...options, appHosts, guard, failureLimit });
}

/** Adds the security header fields, and refuses requests of other sites. */
async function protect(fastify: FastifyInstance, { mayEnter, tls }: AppOptions): Promise<void> {
  const fields = { ...securityFields(tls), 'cache-control': 'no-store' };
  await fastify.register(rateLimit, { global: false, cache: REMEMBERED });
  fastify.decorateRequest('session', null);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(fields);
    rememberAddress(request.socket);
    // Node uses the first `Host`; a proxy in front may have used the other one.
    if (hasTwoHosts(request.raw)) done(new Problem('invalid-request'));
    else if (mayEnter(request.raw) || request.routeOptions.config.isForApps) done();
    else done(new Problem('foreign-host'));
  });
}

/** `rawHeaders` has the names at even indices. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** Where the answers of one method, route and status go. */
interface AnswerRecord {
  readonly log: Pick<Logger, 'info'>;
  /** @param seconds the time to answer. */
  readonly observe: (seconds: number) => void;
}

/**
 * Logs and measures answers, and deletes expired sessions. The line has the route, not the requested path, which can contain
 * anything.
 */
function observe(fastify: FastifyInstance, { logger, metrics, sessions, clock }: AppOptions): void {
  // To write the same fields again for each answer takes longer than the rest of its line.
  const records = new Map<string, AnswerRecord>();
  function recordOf(request: FastifyRequest, status: number): AnswerRecord {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const key = `${method} ${route} ${status}`;
    const known = records.get(key);
    if (known !== undefined) return known;
    const labels = { method, route, status };
    const record = { log: logger.child(labels), observe: metrics.observer(labels) };
    records.set(key, record);
    return record;
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    const { log, observe: measure } = recordOf(request, reply.statusCode);
    const { elapsedTime } = reply;
    measure(elapsedTime / 1000);
    // Rounded to a microsecond: to write all digits takes longer than the rest of the line.
    log.info({ ms: Math.round(elapsedTime * 1000) / 1000, address: clientAddress(request) }, 'answered');
    done();
  });
  let cancel = clock.after(SWEEP_MS, sweep);
  function sweep(): void {
    sessions.sweep();
    cancel = clock.after(SWEEP_MS, sweep);
  }
  fastify.addHook('onClose', () => cancel());
}

/** Describes the calls in OpenAPI. */
async function document(fastify: FastifyInstance): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'hostauth', description: 'Sessions for the accounts of this host', version: '1.0.0' },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
}

/**
 * Returns the security header fields of helmet. They are the same for every answer, so helmet runs once: for each request
 * it would take longer than the rest of the answer.
 * @param tls whether browsers must use TLS only.
 */
function securityFields(tls: boolean): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
    strictTransportSecurity: tls,
  })(request, response, (error) => {
    if (error !== undefined) throw new Error('helmet has no header fields', { cause: error });
  });
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

/*
 * The end of the service:
 *
 *   open ── close() ──▶ draining (new requests get 503, requests in progress are answered) ──▶ closed
 */

/** Refuses new requests while the service ends, and closes the connections when the requests in progress are answered. */
function drainOnClose(fastify: FastifyInstance): void {
  let begun = 0;
  let isClosing = false;
  const cutIfDone = () => {
    if (isClosing && begun === 0) fastify.server.closeAllConnections();
  };
  const end = () => {
    begun--;
    cutIfDone();
  };

  fastify.addHook('onRequest', (_request, _reply, done) => {
    if (isClosing) done(new Problem('closing', 5));
    else done();
  });
  fastify.addHook('preHandler', (_request, reply, done) => {
    begun++;
    // It comes after the answer, and also when the client has disconnected before it: then there is no `onResponse`.
    reply.raw.on('close', end);
    done();
  });
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    // Fastify stops listening first.
    setImmediate(cutIfDone);
    done();
  });
}
