import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { bearer, createAccountGuard } from './accountGuard.ts';
import { createAudit, escapeName } from './audit.ts';
import { createDelayFailure } from './failureLimit.ts';
import { type NewSession, type SessionLimits, Sessions } from './sessions.ts';
import type { AccountState, Helper } from '../../link/helperProtocol.ts';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { sessionFields } from '../../testing/testApp.ts';

const IDLE = 900_000;
const MAX = 28_800_000;

function setUp(limits: Partial<SessionLimits> = {}) {
  const clock = fakeClock();
  const audited: unknown[] = [];
  const sessions = new Sessions({
    limits: { slots: 1024, perUser: 1024, idleMs: IDLE, maxMs: MAX, ...limits },
    clock,
    audit: (event, fields) => audited.push([event, fields]),
  });
  const create = async (username: string): Promise<NewSession> => {
    const session = await sessions.create(sessionFields(username));
    if (typeof session === 'string') throw new Error(session);
    return session;
  };
  return { clock, audited, sessions, create };
}

test('spec §2.7 token, §5 item 2: a token is 32 bytes of the random source in base64url', async () => {
  const asked: number[] = [];
  const random = (bytes: number) => {
    asked.push(bytes);
    return Buffer.alloc(bytes, 0xfb);
  };
  const limits = { slots: 1, perUser: 1, idleMs: IDLE, maxMs: MAX };
  const sessions = new Sessions({ limits, clock: fakeClock(), audit: () => undefined, random });
  expect(await sessions.create(sessionFields('ada'))).toMatchObject({
    token: Buffer.alloc(32, 0xfb).toString('base64url'),
  });
  expect(asked).toEqual([32]);
});

test('finds nothing for an unknown token, or for text that is no token', async () => {
  const { sessions, create } = setUp();
  const { token } = await create('ada');
  const others = ['', 'x', `${token}x`, token.slice(1), ` ${token}`, '__proto__', 'constructor'];
  for (const other of [...others, randomBytes(32).toString('base64url')]) {
    expect(sessions.find(other)).toBeUndefined();
    expect(await sessions.end(other)).toBeUndefined();
  }
  expect(sessions.find(token)).toMatchObject({ username: 'ada', number: 1 });
});

test('contract §8 lifetime: a session lives until the last millisecond of its idle time', async () => {
  const { clock, audited, sessions, create } = setUp();
  const { token } = await create('ada');
  clock.advance(IDLE - 1);
  expect(sessions.find(token)).toMatchObject({ username: 'ada' });
  clock.advance(IDLE - 1);
  expect(sessions.find(token)).toMatchObject({ username: 'ada' });
  clock.advance(IDLE);
  expect(sessions.find(token)).toBeUndefined();
  expect(sessions.size).toBe(0);
  expect(audited).toEqual([['session expired', { username: 'ada', session: 1, reason: 'idle' }]]);
});

test('contract §8 lifetime: a session that is always used expires at its greatest age', async () => {
  const { clock, audited, sessions, create } = setUp();
  const { token } = await create('ada');
  const step = IDLE / 2;
  for (let at = step; at < MAX; at += step) {
    clock.advance(step);
    expect(sessions.find(token)).toBeDefined();
  }
  clock.advance(step - 1);
  expect(sessions.find(token)).toBeDefined();
  clock.advance(1);
  expect(sessions.find(token)).toBeUndefined();
  expect(audited).toEqual([['session expired', { username: 'ada', session: 1, reason: 'age' }]]);
});

test('expiresAt is the earlier of idle time and greatest age, on the wall clock', async () => {
  const { clock, sessions, create } = setUp({ idleMs: 1000, maxMs: 1500 });
  const start = clock.wall();
  const { token, expiresAt } = await create('ada');
  expect(expiresAt).toBe(start + 1000);
  clock.advance(400);
  expect(sessions.find(token)?.expiresAt).toBe(start + 1400);
  clock.advance(400);
  expect(sessions.find(token)?.expiresAt).toBe(start + 1500);
});

test('spec §2.7 storage: ends a session once for two calls at the same time', async () => {
  const { sessions, create, audited } = setUp();
  const { token } = await create('ada');
  const both = await Promise.all([sessions.end(token), sessions.end(token)]);
  expect(both.filter((session) => session !== undefined)).toHaveLength(1);
  expect(sessions.find(token)).toBeUndefined();
  const other = await create('ada');
  for (const reason of ['administrator', 'locked'] as const) sessions.endSession(other, { reason });
  expect(audited).toEqual([['session ended', { username: 'ada', session: 2, reason: 'administrator' }]]);
});

test('spec §2.7 storage, §8 session slots, contract §8 full: has at most 1024 sessions, gives the last slot to one of fifty at once, and ends no live one for another', async () => {
  const { sessions, create } = setUp();
  const tokens = [];
  for (let i = 0; i < 1023; i++) tokens.push((await create(`user${i}`)).token);
  const racers = Array.from({ length: 50 }, (_, i) => sessions.create(sessionFields(`racer${i}`)));
  expect((await Promise.all(racers)).filter((session) => session !== 'full')).toHaveLength(1);
  expect([sessions.size, sessions.isFull()]).toEqual([1024, true]);
  expect(tokens.filter((token) => sessions.find(token) === undefined)).toEqual([]);
});

test('has room when all sessions have expired', async () => {
  const { clock, sessions, create } = setUp({ slots: 2 });
  await create('ada');
  clock.advance(1000);
  await create('ben');
  expect(sessions.secondsToFree()).toBe(899);
  expect(sessions.isFull()).toBe(true);
  clock.advance(IDLE - 1000);
  expect(sessions.isFull()).toBe(false);
  expect(sessions.size).toBe(1);
});

const LIMITS = { slots: 100, perUser: 100, idleMs: 900_000, maxMs: 900_000 };

/** A guard whose helper answers when the test resolves it, and one session that signed in at 0. */
async function scene() {
  const clock = fakeClock();
  const sessions = new Sessions({ limits: LIMITS, clock, audit: () => undefined });
  const created = await sessions.create(sessionFields('ada'));
  if (typeof created === 'string') throw new Error(created);
  const asked = new EventEmitter();
  const untilAsked = async () => {
    while (answers.length === 0) await once(asked, 'asked');
  };
  const answers: ((answer: AccountState) => void)[] = [];
  const isAdministrator = vi.fn<Helper['isAdministrator']>();
  const helper = {
    checkAccount: () =>
      new Promise<AccountState>((resolve) => {
        answers.push(resolve);
        asked.emit('asked');
      }),
    isAdministrator,
    accountGroups: () => Promise.reject(new Error('not expected')),
  };
  const guard = createAccountGuard({ helper, sessions, clock });
  const app = Fastify();
  app.decorateRequest('session', null);
  app.get('/', { onRequest: [bearer(sessions), guard.recentAccount] }, (_request, reply) => reply.send('ok'));
  app.get('/admin', { onRequest: bearer(sessions) }, (request) => guard.isAdministrator(request));
  const get = async (url: string) => {
    const { statusCode, payload } = await app.inject({
      url,
      headers: { authorization: `Bearer ${created.token}` },
    });
    return [statusCode, payload];
  };
  return { clock, sessions, session: created, answers, untilAsked, isAdministrator, guard, get };
}

test('refuses a request whose session ended while its account was checked', async () => {
  const { clock, sessions, session, answers, untilAsked, get } = await scene();
  clock.advance(3000);
  const request = get('/');
  await untilAsked();
  sessions.endSession(session, { reason: 'administrator' });
  answers[0]?.({ state: 'same' });
  expect((await request)[0]).not.toBe(200);
});

test('refuses an administrator whose session ended while the groups were looked up', async () => {
  const { sessions, session, isAdministrator, get } = await scene();
  isAdministrator.mockImplementation(async () => {
    sessions.endSession(session, { reason: 'administrator' });
    return { state: 'administrator' };
  });
  expect((await get('/admin'))[0]).not.toBe(200);
});

test('escapes line ends, terminal codes, letters of other scripts and backslashes', () => {
  expect(escapeName('ada_lovelace-1815.x')).toBe('ada_lovelace-1815.x');
  expect(escapeName('a\nb')).toBe(String.raw`a\u{a}b`);
  expect(escapeName('\u001B[31m')).toBe(String.raw`\u{1b}[31m`);
  expect(escapeName('\u202Eada')).toBe(String.raw`\u{202e}ada`);
  expect(escapeName('😀')).toBe(String.raw`\u{1f600}`);
  expect(escapeName('\uD800')).toBe(String.raw`\u{d800}`);
  expect(escapeName(String.raw`\n`)).toBe(String.raw`\u{5c}n`);
});

test('writes the event and escapes input', () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const audit = createAudit(pino({ base: null, timestamp: false }, log));
  audit('sign-in failed', { username: 'a\n', by: 'b\t', detail: 'c\r', address: '::1', reason: 'input' });
  audit('user not rolled back', { username: 'ada' });
  audit('service started', { slots: 1024 });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      level: 40,
      audit: 'sign-in failed',
      username: String.raw`a\u{a}`,
      by: String.raw`b\u{9}`,
      detail: String.raw`c\u{d}`,
      address: '::1',
      reason: 'input',
      msg: 'sign-in failed',
    },
    { level: 50, audit: 'user not rolled back', username: 'ada', msg: 'user not rolled back' },
    { level: 30, audit: 'service started', slots: 1024, msg: 'service started' },
  ]);
});

/** Returns when a refusal is sent, in milliseconds after its request, for a time of PAM. */
async function leavesAfter(taken: number, random: number): Promise<number> {
  const clock = fakeClock();
  clock.advance(70);
  const hold = createDelayFailure({ clock, times: { floorMs: 500, jitterMs: 50 }, random: () => random });
  clock.advance(taken);
  const held = hold(70);
  const [wait = Number.NaN] = clock.waits;
  clock.advance(wait);
  await held;
  return clock.monotonic() - 70;
}

test.each([
  [0, 0, 500],
  [500, 0, 500],
  [501, 0, 1000],
  [1000, 0, 1000],
  [35, 0.5, 525],
  [499, 0.98, 549],
])(
  'when PAM took %d ms and the random number is %d, sends a refusal after %d ms',
  async (...[taken, random, ms]) => {
    expect(await leavesAfter(taken, random)).toBe(ms);
  },
);
