import { EventEmitter, once } from 'node:events';
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { createHostCheck } from '../http/guards/hostCheck.ts';
import { type AppOptions, hostauthApp } from '../http/hostauthApp.ts';
import { createAudit } from '../http/guards/audit.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { createClient } from '../api/client.ts';
import { type RequestTimes, fastifyOptions } from '../http/fastifyOptions.ts';
import { countedAudit, createMetrics } from '../http/guards/metrics.ts';
import { type NewSessionFields, type SessionLimits, Sessions } from '../http/guards/sessions.ts';
import { SECRET, fakeAuthenticator, fakeClock, fakeHelper } from './fakeHelper.ts';
import type { AccountCheck } from '../helper/accounts/accountCheck.ts';

/** A line of the log. */
type LogLine = Readonly<Record<string, unknown>>;

const LIMITS: SessionLimits = { slots: 1024, perUser: 64, idleMs: 900_000, maxMs: 28_800_000 };

/** A running service with a fake clock and a fake helper. */
export type TestApp = Awaited<ReturnType<typeof testApp>>;

interface TestAppOptions extends Partial<AppOptions> {
  readonly limits?: Partial<SessionLimits>;
  /** Creates another helper with the fake authenticator. */
  readonly makeHelper?: (authenticator: ReturnType<typeof fakeAuthenticator>) => Helper;
  readonly trustedProxies?: readonly string[];
  /** The shipped ones by default. */
  readonly times?: RequestTimes;
}

const UNLESS_GIVEN = {
  failures: 10,
  addressFailures: 60,
  delayFailure: async () => undefined,
  users: 'off',
  tls: false,
} as const;

/** Starts a service on a port of its own, with a clock that the test controls. It ends with the test, and its log is checked for secrets. */
export async function testApp({
  limits,
  makeHelper,
  trustedProxies = [],
  times,
  ...options
}: TestAppOptions = {}) {
  const log: LogLine[] = [];
  const logging = new EventEmitter().setMaxListeners(0);
  const secrets = [SECRET];
  const logger = pino({ level: 'trace' }, linesTo(log, logging));
  const clock = fakeClock();
  const authenticator = fakeAuthenticator();
  const helper = fakeHelper(authenticator);
  const metrics = createMetrics();
  const audit = countedAudit(createAudit(logger), metrics);
  const random = (bytes: number) => {
    const value = randomBytes(bytes);
    secrets.push(value.toString('base64url'), value.toString('hex'), value.toString('base64'));
    return value;
  };
  const sessions = new Sessions({ limits: { ...LIMITS, ...limits }, clock, audit, random });
  metrics.showSessions(limits?.slots ?? LIMITS.slots, () => sessions.size);
  const fastify = Fastify(fastifyOptions({ trustedProxies, ...(times && { times }) }));
  await fastify.register(hostauthApp, {
    logger,
    helper: makeHelper?.(authenticator) ?? helper,
    sessions,
    audit,
    metrics,
    clock,
    mayEnter: createHostCheck({ host: '127.0.0.1', certificate: null }),
    ...UNLESS_GIVEN,
    ...options,
  });
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await fastify.close();
    // Neither a password nor a token.
    for (const secret of secrets) expect(JSON.stringify(log)).not.toContain(secret);
  });
  return {
    url,
    port: Number(new URL(url).port),
    client: createClient({ baseUrl: url }),
    clock,
    authenticator,
    /** The helper, unless the test passes another. */
    helper,
    sessions,
    /** The lines of the log. */
    log: log as readonly LogLine[],
    /** Returns the audit log: each line's event and fields. */
    audited: () => log.filter((line) => 'audit' in line),
    /** Resolves when the audit log has this event as often. */
    async untilAudited(event: string, count = 1) {
      while (log.filter(({ audit: written }) => written === event).length < count)
        await once(logging, 'line');
    },
    close: () => fastify.close(),
  };
}

const linesTo = (log: LogLine[], logging: EventEmitter) => ({
  write(line: string) {
    log.push(JSON.parse(line));
    logging.emit('line');
  },
});

/** Posts JSON; a string is sent unchanged. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Returns the fields of a sign-in from this machine at time 0. */
export const sessionFields = (username: string): NewSessionFields => ({
  username,
  account: username,
  address: '127.0.0.1',
  checkedAt: 0,
});

/** Accounts that never change; a name is the proof of its account. */
export const unchangedAccounts: AccountCheck = {
  localEntry: () => undefined,
  prove: async (username) => username,
  check: async (username) => ({ state: 'same', username }),
};
