import { X509Certificate, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { systemClock } from '../base/clock.ts';
import { type Config, ConfigError, type TlsFiles } from '../base/config.ts';
import { errorCode } from '../base/errors.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { hostauthApp } from './hostauthApp.ts';
import { fastifyOptions } from './fastifyOptions.ts';
import { createAudit } from './guards/audit.ts';
import { createDelayFailure } from './guards/failureLimit.ts';
import { createHostCheck } from './guards/hostCheck.ts';
import { countedAudit, createMetrics } from './guards/metrics.ts';
import { Sessions } from './guards/sessions.ts';

/** The resolution of the random delay. */
const RANDOM_STEPS = 1_000_000;

/** The port is in use or forbidden. `message` is one line that names it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** A running service. */
export interface RunningServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** Answers the requests in progress, then stops. */
  close(): Promise<void>;
}

/** The options of `startServer`. */
interface ServerOptions {
  readonly config: Config;
  readonly helper: Helper;
  readonly logger: Logger;
  /** Called after all files are read and before the service listens. */
  readonly beforeListen?: () => void;
}

/**
 * Starts the service with its settings.
 * @throws {ConfigError} when the certificate or its key cannot be used.
 * @throws {ListenError} when it cannot listen on the address.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, helper, logger } = options;
  const tls = config.tls === null ? null : await loadTls(config.tls);
  const metrics = createMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  const audit = countedAudit(createAudit(logger), metrics);
  const sessions = new Sessions({ limits: config, clock: systemClock, audit });
  metrics.showSessions(config.slots, () => sessions.size);
  const fastify = Fastify(fastifyOptions({ tls, trustedProxies: config.trustedProxies }));
  await fastify.register(hostauthApp, {
    logger,
    helper,
    sessions,
    audit,
    metrics,
    clock: systemClock,
    mayEnter: createHostCheck({ host: config.host, certificate: tls && new X509Certificate(tls.cert) }),
    appHosts: config.appHosts,
    failures: config.failures,
    addressFailures: config.addressFailures,
    delayFailure: createDelayFailure({
      clock: systemClock,
      random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    }),
    users: config.users,
    tls: tls !== null,
  });
  await fastify.ready();
  options.beforeListen?.();
  const url = await listen(fastify, config);
  audit('service started', { slots: config.slots });
  return {
    url,
    async close() {
      await fastify.close();
      await helper.close();
      audit('service stopped');
    },
  };
}

/** Starts to listen; returns the address. */
async function listen(fastify: FastifyInstance, { host, port, tls }: Config): Promise<string> {
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    throw new ListenError(
      `cannot listen on ${host}, port ${port} (${errorCode(error) ?? String(error)}): name another`,
      {
        cause: error,
      },
    );
  }
  const address = fastify.server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return `${tls === null ? 'http' : 'https'}://${isIP(host) === 6 ? `[${host}]` : host}:${actual}`;
}

async function loadTls(files: TlsFiles): Promise<{ readonly cert: Buffer; readonly key: Buffer }> {
  try {
    const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    throw new ConfigError(
      `HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY cannot be used (${errorCode(error) ?? String(error)}): name readable PEM files that belong together`,
      { cause: error },
    );
  }
}
