import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { HostSessionState, HostauthClient } from './hostauthClient.ts';
import { CONFIRM_MS, HostSessions } from './hostSessions.ts';

const LIFE_MS = 900_000;
const LIVE: HostSessionState = { state: 'live', lifeMs: LIFE_MS };
const UNAUTHORIZED = [4401, 'unauthorized'];

/** Sessions whose service answers what the test sets; one session is added. */
function scene() {
  const clock = virtualClock();
  let answer: HostSessionState = LIVE;
  const me = vi.fn<HostauthClient['me']>(async () => answer);
  const logOut = vi.fn<HostauthClient['logOut']>(async () => undefined);
  const sessions = new HostSessions({
    client: { me, logOut },
    clock,
    logger: pino({ level: 'silent' }),
  });
  const add = (token = 'token') => sessions.add('account', { token, username: 'ada', lifeMs: LIFE_MS });
  const openSocket = (identifier: string) => {
    const close = vi.fn<(code: number, reason: string) => void>();
    const remove = sessions.find(identifier)?.addSocket({ close });
    return { close, remove: remove ?? (() => undefined) };
  };
  /** Advances the time, and lets the calls that become due end. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += CONFIRM_MS) {
      clock.advance(Math.min(CONFIRM_MS, ms - passed));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    clock,
    sessions,
    me,
    logOut,
    add,
    openSocket,
    pass,
    answerWith: (next: HostSessionState) => (answer = next),
  };
}

test('issues an identifier of its own for each sign-in', () => {
  const { sessions, add } = scene();
  const [first, second] = [add(), add()];
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(second).not.toBe(first);
  expect(sessions.find(first)?.accountId).toBe('account');
  expect(sessions.find('account')).toBeUndefined();
});

test('closes the sockets with `unauthorized` within 10 s of the end of the session, and forgets the identifier', async () => {
  const { sessions, add, openSocket, pass, answerWith } = scene();
  const [identifier, other] = [add('one'), add('two')];
  const sockets = [openSocket(identifier), openSocket(identifier)];
  const { close: unaffected } = openSocket(other);
  await pass(60_000);
  expect(sockets[0]?.close).not.toHaveBeenCalled();
  answerWith({ state: 'ended' });
  sessions.find(other)?.addSocket({ close: unaffected });
  await pass(CONFIRM_MS);
  for (const { close } of sockets) expect(close.mock.calls).toEqual([UNAUTHORIZED]);
  expect(sessions.find(identifier)).toBeUndefined();
});

test('asks the service only while a socket is open', async () => {
  const { add, openSocket, pass, me, clock } = scene();
  const identifier = add();
  await pass(60_000);
  expect(me).not.toHaveBeenCalled();
  const [first, second] = [openSocket(identifier), openSocket(identifier)];
  await pass(20_000);
  expect(me).toHaveBeenCalledTimes(4);
  first.remove();
  await pass(5000);
  expect(me).toHaveBeenCalledTimes(5);
  second.remove();
  expect(clock.nextDue()).toBeUndefined();
});

test('keeps people signed in while the service does not answer, until the session must have ended there', async () => {
  const { sessions, add, openSocket, pass, answerWith } = scene();
  const identifier = add();
  const { close } = openSocket(identifier);
  await pass(60_000);
  answerWith({ state: 'unknown' });
  await pass(LIFE_MS - CONFIRM_MS);
  expect(close).not.toHaveBeenCalled();
  expect(sessions.find(identifier)).toBeDefined();
  await pass(2 * CONFIRM_MS);
  expect(close.mock.calls).toEqual([UNAUTHORIZED]);
});

test('forgets an identifier that no socket has used until its end', async () => {
  const { sessions, add, clock } = scene();
  const identifier = add();
  clock.advance(LIFE_MS - 1);
  expect(sessions.find(identifier)).toBeDefined();
  clock.advance(1);
  expect(sessions.find(identifier)).toBeUndefined();
});

test('confirms a session that was not confirmed recently before a socket uses it', async () => {
  const { sessions, add, me, clock, answerWith } = scene();
  const identifier = add();
  await sessions.confirm(identifier);
  expect(me).not.toHaveBeenCalled();
  clock.advance(CONFIRM_MS);
  await Promise.all([sessions.confirm(identifier), sessions.confirm(identifier)]);
  expect(me).toHaveBeenCalledOnce();
  expect(sessions.find(identifier)).toBeDefined();
  answerWith({ state: 'ended' });
  clock.advance(CONFIRM_MS);
  await sessions.confirm(identifier);
  expect(sessions.find(identifier)).toBeUndefined();
});

test('ends a session here and in the service when its person logs out, with its other sockets', async () => {
  const { sessions, add, openSocket, logOut } = scene();
  const identifier = add();
  const { close } = openSocket(identifier);
  const session = sessions.find(identifier);
  await session?.logOut();
  await session?.logOut();
  expect(logOut.mock.calls).toEqual([['token']]);
  expect(close.mock.calls).toEqual([UNAUTHORIZED]);
  expect(sessions.find(identifier)).toBeUndefined();
});

test('starts no further call after it was closed', async () => {
  const { sessions, add, openSocket, pass, clock, me } = scene();
  openSocket(add());
  await pass(CONFIRM_MS);
  sessions.close();
  expect([me.mock.calls.length, clock.nextDue()]).toEqual([1, undefined]);
});
