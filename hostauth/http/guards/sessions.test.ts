import pino from 'pino';
import { expect, test, vi } from 'vitest';
import type { Helper } from '../../link/helperProtocol.ts';
import { createAudit, escapeName } from './audit.ts';
import { createDelayFailure } from './failureLimit.ts';
import { type SessionLimits, Sessions } from './sessions.ts';
import { bearer, fakeClock, sessionFields, testApp } from '../../testing/testApp.ts';

const IDLE = 900_000;
const MAX = 28_800_000;
const HALVES = Array.from({ length: MAX / (IDLE / 2) - 1 }, () => IDLE / 2);

function setUp(limits: Partial<SessionLimits> = {}, random?: (bytes: number) => Buffer) {
  const clock = fakeClock();
  const audited: unknown[] = [];
  const sessions = new Sessions({
    limits: { slots: 1024, perUser: 1024, idleMs: IDLE, maxMs: MAX, ...limits },
    clock,
    audit: (event, fields) => audited.push([event, fields]),
    ...(random && { random }),
  });
  const create = async (username: string) => {
    const session = await sessions.create(sessionFields(username));
    if (typeof session === 'string') throw new Error(session);
    return session;
  };
  return { clock, audited, sessions, create };
}

test('spec §2.7 token, §5 item 2: a token is 32 bytes of the random source in base64url', async () => {
  const random = vi.fn<(bytes: number) => Buffer>((bytes) => Buffer.alloc(bytes, 0xfb));
  const { token } = await setUp({}, random).create('ada');
  expect(token).toBe(Buffer.alloc(32, 0xfb).toString('base64url'));
  expect(random.mock.calls).toEqual([[32]]);
});

test.each([
  ['is used at the last millisecond expires after its idle time', [IDLE - 1, IDLE - 1], IDLE, 'idle'],
  ['is always used expires at its greatest age', [...HALVES, IDLE / 2 - 1], 1, 'age'],
])('contract §8 lifetime: a session that %s', async (...[, uses, last, reason]) => {
  const { clock, audited, sessions, create } = setUp();
  const { token } = await create('ada');
  const end = clock.wall() + MAX;
  for (const ms of uses) {
    clock.advance(ms);
    const expiresAt = Math.min(clock.wall() + IDLE, end);
    expect(sessions.find(token)).toMatchObject({ username: 'ada', expiresAt });
  }
  clock.advance(last);
  expect([sessions.find(token), sessions.size]).toEqual([undefined, 0]);
  expect(audited).toEqual([['session expired', { username: 'ada', session: 1, reason }]]);
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

test('has room when all sessions have expired; limits the sessions of one user, not of others', async () => {
  const { clock, sessions, create } = setUp({ slots: 2, perUser: 1 });
  await create('ada');
  expect(await sessions.create(sessionFields('ada'))).toBe('user-full');
  clock.advance(1001);
  await create('ben');
  expect([sessions.secondsToFree(), sessions.isFull()]).toEqual([899, true]);
  clock.advance(IDLE - 1001);
  expect([sessions.isFull(), sessions.size]).toEqual([false, 1]);
  expect(await sessions.create(sessionFields('ada'))).toMatchObject({ username: 'ada' });
  const roomy = setUp({ perUser: 1 });
  for (let i = 0; i < 2; i++) {
    await roomy.create('ada');
    roomy.clock.advance(IDLE);
  }
  expect([roomy.sessions.secondsToFree(), ...roomy.sessions.list()]).toEqual([1]);
});

test('refuses a request whose session ended while its account was checked, and an administrator whose session ended while the groups were looked up', async () => {
  for (const call of ['/me', '/sessions']) {
    const endAndAnswer = async <State extends string>(state: State) => {
      app.sessions.endSession(app.sessions.find(token)!, { reason: 'administrator' });
      return { state };
    };
    const checkAccount = () => endAndAnswer('same');
    const isAdministrator = () => endAndAnswer('administrator');
    const app = await testApp({ calls: { checkAccount, isAdministrator } });
    const token = await app.tokenOf();
    app.clock.advance(3000);
    expect((await fetch(app.url + call, { headers: bearer(token) })).status).toBe(401);
  }
});

test('ends an unused session with its account while checks of other sessions have no answer; the end of the service ends all timers', async () => {
  const answers: (() => void)[] = [];
  const checkAccount: Helper['checkAccount'] = (account) =>
    account === 'proof of bob'
      ? Promise.resolve({ state: 'ended', reason: 'locked' })
      : new Promise((resolve) => void answers.push(() => resolve({ state: 'same' })));
  const { sessions, clock, close } = await testApp({ calls: { checkAccount } });
  for (let i = 0; i < 255; i++) await sessions.create(sessionFields(`slow${i}`));
  await sessions.create(sessionFields('bob'));
  clock.advance(5000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sessions.size).toBe(255);
  await close();
  for (const answer of answers) answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.waits).toEqual([]);
});

test('escapes line ends, terminal codes, letters of other scripts and backslashes, and shortens a long name before an escape that does not fit', () => {
  for (const [name, escaped] of [
    ['ada_lovelace-1815.x', 'ada_lovelace-1815.x'],
    ['a\nb', String.raw`a\u{a}b`],
    ['\u001B[31m', String.raw`\u{1b}[31m`],
    ['\u202Eada', String.raw`\u{202e}ada`],
    ['😀', String.raw`\u{1f600}`],
    ['\uD800', String.raw`\u{d800}`],
    [String.raw`\n`, String.raw`\u{5c}n`],
    ['x'.repeat(33), 'x'.repeat(32)],
    [`${'x'.repeat(30)}\nx`, 'x'.repeat(30)],
  ] as const)
    expect(escapeName(name)).toBe(escaped);
});

const EVENTS = [
  ...(['service started', 'sign-in succeeded', 'session created', 'session expired'] as const),
  ...(['session ended', 'sign-in failed', 'sign-in throttled', 'sign-in unavailable'] as const),
  ...(['capacity reached', 'sessions not shown', 'user not created', 'user rolled back'] as const),
  ...(['user not rolled back'] as const),
];

test('writes each event with its level, and escapes input', async () => {
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line) };
  const audit = createAudit(pino({ base: null, timestamp: false }, log));
  const input = { username: 'a\n', by: 'b\t', detail: 'c\r' };
  for (const event of EVENTS) audit(event, { ...input, address: '::1', reason: 'input', slots: 1024 });
  audit('service stopped', { detail: 'x'.repeat(201) });
  await expect(lines.join('')).toMatchFileSnapshot('testing/audit.txt');
});

test.each([
  [0, 0, 500],
  [500, 0, 500],
  [501, 0, 1000],
  [1000, 0, 1000],
  [35, 0.5, 525],
  [499, 0.98, 549],
])('PAM took %d ms, random number %d: sends a refusal after %d ms', async (...[taken, random, ms]) => {
  const clock = fakeClock();
  clock.advance(70);
  const hold = createDelayFailure({ clock, times: { floorMs: 500, jitterMs: 50 }, random: () => random });
  clock.advance(taken);
  const held = hold(70);
  clock.advance(clock.waits[0] ?? Number.NaN);
  await held;
  expect(clock.monotonic() - 70).toBe(ms);
});
