import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { createHostCheck } from '../http/guards/hostCheck.ts';
import { type AppOptions, hostauthApp } from '../http/hostauthApp.ts';
import { createAudit } from '../http/guards/audit.ts';
import { type Credentials, type EndReason, type Helper, refusalReason } from '../link/helperProtocol.ts';
import { createClient } from '../api/client.ts';
import { problemSchema } from '../api/schemas.ts';
import { type RequestTimes, fastifyOptions } from '../http/fastifyOptions.ts';
import { countedAudit, createMetrics } from '../http/guards/metrics.ts';
import { type NewSessionFields, type SessionLimits, Sessions } from '../http/guards/sessions.ts';
import type { Authenticator } from '../helper/pam/pamAuthenticator.ts';
import type { PamOutcome } from '../helper/pam/pamMessages.ts';

const LIMITS: SessionLimits = { slots: 1024, perUser: 64, idleMs: 900_000, maxMs: 28_800_000 };

/** A running service with a fake clock and a fake helper. */
export type TestApp = Awaited<ReturnType<typeof testApp>>;

interface TestAppOptions extends Partial<AppOptions> {
  readonly limits?: Partial<SessionLimits>;
  /** Calls that the helper answers in another way. */
  readonly calls?: Partial<Helper>;
  readonly trustedProxies?: readonly string[];
  /** The shipped ones by default. */
  readonly times?: RequestTimes;
}

/** Starts a service on a port of its own, with a clock that the test controls. It ends with the test. Its log is checked for secrets, and its answers for being in the document of the interface. */
export async function testApp(given: TestAppOptions = {}) {
  const { limits, calls, trustedProxies = [], times, ...options } = given;
  const log: Record<string, unknown>[] = [];
  const logging = new EventEmitter().setMaxListeners(0);
  const secrets = [SECRET];
  const write = (line: string) => logging.emit('line', log.push(JSON.parse(line)));
  const logger = pino({ level: 'trace' }, { write });
  const [clock, authenticator, metrics] = [fakeClock(), fakeAuthenticator(), createMetrics()];
  const helper = { ...fakeHelper(authenticator, PROOF), ...calls };
  const audit = countedAudit(createAudit(logger), metrics);
  const random = (bytes: number) => {
    const value = randomBytes(bytes);
    secrets.push(value.toString('base64url'), value.toString('hex'), value.toString('base64'));
    return value;
  };
  const sessions = new Sessions({ limits: { ...LIMITS, ...limits }, clock, audit, random });
  metrics.showSessions(limits?.slots ?? LIMITS.slots, () => sessions.size);
  const fastify = Fastify(fastifyOptions({ trustedProxies, ...(times && { times }) }));
  const undocumented = undocumentedAnswers(fastify);
  await fastify.register(hostauthApp, {
    logger,
    helper,
    sessions,
    audit,
    metrics,
    clock,
    mayEnter: createHostCheck({ host: '127.0.0.1', certificate: null }),
    failures: 10,
    addressFailures: 60,
    delayFailure: async () => undefined,
    users: 'off',
    tls: false,
    ...options,
  });
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await fastify.close();
    // Neither a password nor a token.
    for (const secret of secrets) expect(JSON.stringify(log)).not.toContain(secret);
    expect(undocumented).toEqual([]);
  });
  const client = createClient({ baseUrl: url });
  return {
    url,
    port: Number(new URL(url).port),
    client,
    /** Signs in with `PASSWORD`; returns the token. */
    tokenOf: async (username = 'ada') => (await client.signIn({ username, password: PASSWORD })).token,
    clock,
    authenticator,
    helper,
    sessions,
    log: log as readonly Readonly<Record<string, unknown>>[],
    /** Returns the audit log: each line's event and fields. */
    audited: () => log.filter((line) => 'audit' in line),
    /** Resolves when the audit log has this event as often. */
    async untilAudited(event: string, count = 1) {
      while (log.filter(({ audit: written }) => written === event).length < count)
        await once(logging, 'line');
    },
    /** Sends a request from any address, without a socket. */
    inject: (request: InjectOptions) => fastify.inject(request),
    close: () => fastify.close(),
  };
}

/** Notes the answers that the document of the interface does not name, apart from 400 and 500, which any route can give. */
function undocumentedAnswers(fastify: FastifyInstance): readonly string[] {
  const noted: string[] = [];
  fastify.addHook('onSend', async ({ method, routeOptions: { url: path = '', schema } }, reply, body) => {
    const { statusCode: status } = reply;
    if (![400, 500].includes(status) && !(status in Object(schema?.response ?? { [status]: null })))
      noted.push(`${method} ${path} answers ${status}`);
    // The session of `GET /verify` is a cookie.
    const needsToken = status === 401 && path !== '/verify' && String(body).includes('hostauth:token');
    if (needsToken && schema?.security === undefined) noted.push(`${method} ${path} needs a token`);
  });
  return noted;
}

/** The header field of a token; none without a token. */
export const bearer = (token?: string): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Posts JSON; a string is sent unchanged. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Checks the media type, the body, the challenge and the caching of a problem; returns it in short, with the time to wait. */
export async function problemOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = await response.text();
  expect(body).not.toContain(SECRET);
  const { type, status } = problemSchema.parse(JSON.parse(body));
  expect(status).toBe(response.status);
  expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer realm="hostauth"' : null);
  const wait = response.headers.get('retry-after');
  return `${status} ${type.replace('urn:problem-type:hostauth:', '')}${wait === null ? '' : ` for ${wait} s`}`;
}

/** The begin of the proof of each account. */
const PROOF = 'proof of ';

/** Returns the fields of a sign-in from this machine at time 0. */
export const sessionFields = (username: string): NewSessionFields => ({
  username,
  account: PROOF + username,
  address: '127.0.0.1',
  checkedAt: 0,
});

/** Creates a helper whose accounts the test changes. @param proof the begin of the proof of each, before its name, which the name service spells in small letters. */
export function fakeHelper(authenticator: Authenticator, proof = '') {
  const nameOf = (account: string) => account.replace(proof, '').toLowerCase();
  /** Accounts that have changed, and how. */
  const ended = new Map<string, EndReason>();
  const administrators = new Set<string>();
  /** The groups of accounts; none by default. */
  const groups = new Map<string, string[]>();
  const checked: string[] = [];
  let isLost = false;
  const check: Helper['checkAccount'] = async (account) => {
    checked.push(nameOf(account));
    const reason = account.startsWith(proof) ? ended.get(nameOf(account)) : 'proof';
    if (isLost) return { state: 'unknown', detail: 'lost' };
    return reason === undefined ? { state: 'same' } : { state: 'ended', reason };
  };
  const unlessChanged = async <Answer>(account: string, answer: Answer) => {
    const found = await check(account);
    return found.state === 'same' ? answer : found;
  };
  const helper: Helper = {
    async authenticate(credentials) {
      const outcome = await authenticator.authenticate(credentials);
      const account = proof + credentials.username;
      return outcome.kind === 'accepted' ? { kind: 'accepted', account } : outcome;
    },
    checkAccount: check,
    isAdministrator: (account) =>
      unlessChanged(account, { state: administrators.has(nameOf(account)) ? 'administrator' : 'other' }),
    accountGroups(account) {
      const username = nameOf(account);
      return unlessChanged(account, { state: 'same', username, groups: groups.get(username) ?? [] });
    },
    createUser: async () => ({ kind: 'refused', reason: 'off' }),
    cancelWaiting: async () => undefined,
    close: async () => undefined,
  };
  /** Lets all later checks fail. */
  const lose = () => void (isLost = true);
  return { ...helper, ended, administrators, groups, checked, lose, restore: () => void (isLost = false) };
}

/** A part of every password in these tests, so that logs can be searched for it. */
export const SECRET = 'sesame';
/** The password that the fake authenticator accepts; the sign-in form accepts it, too (spec §2.1). */
export const PASSWORD = `open1!${SECRET}`;
/** A password that it refuses. */
export const WRONG = `shut1!${SECRET}`;

/** Creates an authenticator without PAM: the name of a reason is refused with it, `busy` and `died` are unavailable, all others sign in with `PASSWORD`. */
export function fakeAuthenticator() {
  const asked: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  let isHeld = false;
  return {
    /** The names of the sign-ins, in order. */
    asked: asked as readonly string[],
    async authenticate({ username, password }: Credentials): Promise<PamOutcome> {
      asked.push(username);
      events.emit('asked');
      if (isHeld) await once(events, 'released');
      const reason = refusalReason.safeParse(username).data;
      if (reason !== undefined) return { kind: 'refused', reason, detail: `detail of ${reason}` };
      if (username === 'busy' || username === 'died') return { kind: 'unavailable', reason: username };
      return password === PASSWORD ? { kind: 'accepted' } : { kind: 'refused', reason: 'credentials' };
    },
    close: async () => undefined,
    /** Delays all answers until `release`. */
    hold: () => void (isHeld = true),
    /** Answers the sign-ins that wait, and later ones at once. */
    release() {
      isHeld = false;
      events.emit('released');
    },
    async waitForSignIns(count: number) {
      while (asked.length < count) await once(events, 'asked');
    },
  };
}

/** Creates a clock that a test controls. @param wall the wall clock's time when the monotonic clock is at 0. */
export function fakeClock(wall = Date.UTC(2026, 0, 1)) {
  let now = 0;
  const timers = new Set<{ readonly due: number; readonly call: () => void }>();
  const added = new EventEmitter().setMaxListeners(0);
  const next = (until: number) =>
    [...timers].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due)[0];
  return {
    monotonic: () => now,
    wall: () => wall + now,
    after(ms: number, call: () => void) {
      const timer = { due: now + ms, call };
      timers.add(timer);
      added.emit('timer');
      return () => void timers.delete(timer);
    },
    /** Resolves when a timer has this remaining time. */
    async untilWait(ms: number) {
      while (![...timers].some(({ due }) => due - now === ms)) await once(added, 'timer');
    },
    advance(ms: number) {
      const until = now + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.call();
      }
      now = until;
    },
    /** The remaining times of the timers in milliseconds, shortest first. */
    get waits(): readonly number[] {
      return [...timers].map(({ due }) => due - now).toSorted((a, b) => a - b);
    },
  };
}
