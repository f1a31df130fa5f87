import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { sessionFields } from '../../testing/testApp.ts';
import { type NewSession, type SessionLimits, Sessions } from './sessions.ts';

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

test('spec §2.7 token: all tokens are different', async () => {
  const { create } = setUp();
  const tokens = await Promise.all(Array.from({ length: 100 }, async () => (await create('ada')).token));
  expect(new Set(tokens).size).toBe(100);
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

test('does not end an expired session', async () => {
  const { clock, sessions, create } = setUp();
  const { token } = await create('ada');
  clock.advance(IDLE);
  expect(await sessions.end(token)).toBeUndefined();
});

test('spec §2.7 storage: ends a session once for two calls at the same time', async () => {
  const { sessions, create } = setUp();
  const { token } = await create('ada');
  const both = await Promise.all([sessions.end(token), sessions.end(token)]);
  expect(both.filter((session) => session !== undefined)).toHaveLength(1);
  expect(sessions.find(token)).toBeUndefined();
});

test('spec §2.7 storage, §8 session slots, contract §8 full: has at most 1024 sessions, and ends no live one for another', async () => {
  const { sessions, create } = setUp();
  const tokens = [];
  for (let i = 0; i < 1024; i++) tokens.push((await create(`user${i}`)).token);
  expect(sessions.isFull()).toBe(true);
  expect(await sessions.create(sessionFields('late'))).toBe('full');
  expect(tokens.filter((token) => sessions.find(token) === undefined)).toEqual([]);
});

test('spec §2.7 storage: gives the last slot to one of fifty at once', async () => {
  const { sessions, create } = setUp();
  for (let i = 0; i < 1023; i++) await create(`user${i}`);
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, i) => sessions.create(sessionFields(`racer${i}`))),
  );
  expect(all.filter((session) => session !== 'full')).toHaveLength(1);
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

test('lists no session that has expired since the last sweep', async () => {
  const { clock, sessions, create } = setUp();
  await create('ada');
  clock.advance(1000);
  await create('ben');
  clock.advance(IDLE - 1000);
  expect([...sessions.list()].map(({ username }) => username)).toEqual(['ben']);
});

test('limits the sessions of one user, not of others', async () => {
  const { clock, sessions, create } = setUp({ perUser: 1 });
  await create('ada');
  expect(await sessions.create(sessionFields('ada'))).toBe('user-full');
  expect(await sessions.create(sessionFields('ben'))).toMatchObject({ username: 'ben' });
  clock.advance(IDLE);
  expect(await sessions.create(sessionFields('ada'))).toMatchObject({ username: 'ada' });
});
