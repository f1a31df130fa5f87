import { userInfo } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test, vi, onTestFinished, describe } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { type Credentials, credentialsError } from '#shared/protocol/credentials.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { type HostAccount, type LookUpHostUser, type OpenHostAccount } from './hostAccounts.ts';
import { createOpenHostAccount, lookUpHostUser, personName } from './hostAccounts.ts';
import { createHostEntry } from './hostEntrance.ts';
import { HostSessions, CONFIRM_MS } from './hostSessions.ts';
import type { HostRefusal, HostToken, HostauthClient, HostSessionState } from './hostauthClient.ts';
import { PlatformStore } from '../storage/platformStore.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';

describe('the entrance', () => {
  const TOKEN: HostToken = { token: 'token', username: 'ada', lifeMs: 900_000 };
  const ADA = { email: 'ada@box', password: 'engine1843!', name: '' };
  const ACCOUNT = { username: 'ada', email: 'ada@box' };

  /** An entry on the machine `box`, whose service gives this answer. */
  function entrance(answer: HostToken | HostRefusal = TOKEN, { isLocal = true } = {}) {
    const signIn = vi.fn<HostauthClient['signIn']>(async () => answer);
    const logOut = vi.fn<HostauthClient['logOut']>(async () => undefined);
    const add = vi.fn<HostSessions['add']>(() => 'identifier');
    const openAccount = vi.fn<OpenHostAccount>(async () => ({ id: 'account' }));
    const lookUp = vi.fn<LookUpHostUser>(async () => ({ uid: 1000, gecos: 'Ada Lovelace,,,' }));
    const enter = createHostEntry({
      settings: { url: 'http://127.0.0.1:4320', isLocal, hostName: 'box' },
      client: { signIn, logOut },
      sessions: { add },
      openAccount,
      lookUp,
    });
    return { enter, signIn, logOut, add, openAccount, lookUp };
  }

  test.each(['ada@BOX', 'ada@localhost'])('signs %s in with an identifier for the session', async (email) => {
    const { enter, signIn, add, openAccount } = entrance();
    expect(await enter({ ...ADA, email })).toEqual({ id: 'identifier' });
    expect(signIn).toHaveBeenCalledWith('ada', ADA.password);
    expect(openAccount).toHaveBeenCalledWith({ ...ACCOUNT, uid: 1000, person: 'Ada Lovelace' });
    expect(add).toHaveBeenCalledWith('account', TOKEN);
  });

  test('does not ask the user database of this machine about the users of another one', async () => {
    const { enter, openAccount, lookUp } = entrance(TOKEN, { isLocal: false });
    await enter(ADA);
    expect(lookUp).not.toHaveBeenCalled();
    expect(openAccount).toHaveBeenCalledWith({ ...ACCOUNT, uid: null, person: 'User Ada' });
  });

  const UNREACHABLE = 'does not answer. Try again, or ask an administrator to start it.';

  test.each<[Partial<Credentials>, number, string]>([
    [{ name: 'Ada Lovelace' }, 403, 'are this machine’s users. Ask an administrator to create one.'],
    [
      { email: 'ada@example.org' },
      422,
      'Sign in as <user>@box: accounts of this platform are this machine’s',
    ],
    [{ email: 'ada' }, 422, 'Not a valid email.'],
    [{ password: 'correct horse' }, 422, 'Password must be'],
  ])('refuses %j in words, without asking the service', async (fields, status, words) => {
    const { enter, signIn } = entrance();
    const refused = { status, error: expect.stringContaining(words) };
    expect(await enter({ ...ADA, ...fields })).toEqual({ refused });
    expect(signIn).not.toHaveBeenCalled();
  });

  test.each<[HostRefusal, number, string]>([
    [{ why: 'credentials' }, 401, 'Wrong email or password.'],
    [{ why: 'limited', retryAfterS: 42 }, 429, 'Too many wrong passwords. Try again in 42 seconds.'],
    [{ why: 'busy', retryAfterS: 1 }, 503, 'service of this machine is busy. Try again in 1 second.'],
    [{ why: 'unreachable' }, 503, `The sign-in service of this machine ${UNREACHABLE}`],
    [{ why: 'unusable' }, 502, 'service of this machine gave an unexpected answer.'],
  ])('says in words that the service answered %j', async (answer, status, words) => {
    const { enter, openAccount } = entrance(answer);
    expect(await enter(ADA)).toEqual({ refused: { status, error: expect.stringContaining(words) } });
    expect(openAccount).not.toHaveBeenCalled();
  });

  test('ends the session in the service when the account cannot be opened', async () => {
    const { enter, openAccount, logOut, add } = entrance();
    const refused = { refused: { status: 503, error: 'The disk is full.' } };
    openAccount.mockResolvedValue(refused);
    expect(await enter(ADA)).toEqual(refused);
    expect(logOut).toHaveBeenCalledWith('token');
    expect(add).not.toHaveBeenCalled();
  });
});

describe('the accounts', () => {
  const USER: HostAccount = { username: 'ada', uid: 1000, email: 'ada@box', person: 'Ada Lovelace' };

  async function accounts() {
    const clock = virtualClock();
    const path = join(await temporaryFolder(), 'platform.sqlite');
    const logger = pino({ level: 'silent' });
    const store = new PlatformStore({ path, clock, logger });
    onTestFinished(() => store.close());
    const assistants = createDemonstrations({ clock, newId: () => 'm1' });
    const openAccount = createOpenHostAccount({ store, assistants, logger });
    /** Returns the key of the account of Ada, or of the user with these fields. */
    const open = async (fields: Partial<HostAccount> = {}) => {
      const opened = await openAccount({ ...USER, ...fields });
      if ('refused' in opened) throw new Error(opened.refused.error);
      return opened.id;
    };
    return { store, open };
  }

  test('opens one account for a user, also for two first sign-ins at once, until it is revoked', async () => {
    const { store, open } = await accounts();
    const [first, second] = await Promise.all([open(), open()]);
    expect([second, await open()]).toEqual([first, first]);
    const stored = { email: 'ada@box', hostUser: 'ada:1000', password: null };
    expect(store.account('id', first)).toMatchObject(stored);
    await store.setRevoked('ada@box', true);
    await expect(open()).rejects.toThrow('This account was revoked.');
  });

  test('opens another account for a user with the same name and another uid, and keeps the earlier one as revoked', async () => {
    const { store, open } = await accounts();
    const first = await open();
    const second = await open({ uid: 1001 });
    expect(second).not.toBe(first);
    expect(await open({ uid: 1001 })).toBe(second);
    const earlier = store.account('id', first);
    expect(earlier).toMatchObject({ email: 'ada@box #1', revokedAt: expect.any(Number) });
    expect(earlier && store.conversation(earlier).messages).toHaveLength(1);
  });

  test('finds a user of this machine by its name only', async () => {
    const me = userInfo();
    expect(await lookUpHostUser(me.username)).toEqual({ uid: me.uid, gecos: expect.any(String) });
    for (const name of ['no-such-user', String(me.uid), '--help', 'a:b'])
      expect(await lookUpHostUser(name)).toBeUndefined();
  });

  test.each([
    ['ada', 'Ada Lovelace,Room 1,555,', 'Ada Lovelace'],
    ['ada', '  Ada   King-Lovelace ', 'Ada King-Lovelace'],
    ['ada', '& Lovelace', 'Ada Lovelace'],
    ['ada', 'Ada\u0007\u202ELovelace', 'Ada Lovelace'],
    ['ada', `A${'𝒜'.repeat(70)}`, `A${'𝒜'.repeat(31)}`],
    ['ada', ',,,', 'User Ada'],
    ['ada.lovelace', '', 'Ada Lovelace'],
    ['ada_king-2', '', 'Ada King'],
    ['a'.repeat(32), '', `A${'a'.repeat(29)}`],
  ])('makes a name that the form accepts of the user %s and the full name %j', (username, gecos, person) => {
    expect(personName(username, gecos)).toBe(person);
    const error = credentialsError({ email: 'a@b', password: 'engine1!', name: person });
    expect(/^,*$/.test(gecos) ? error : null).toBeNull();
  });
});

describe('the sessions', () => {
  const LIFE_MS = 900_000;
  const UNAUTHORIZED = [4401, 'unauthorized'];

  /** Sessions whose service answers what the test sets; one session is added. */
  function sessionsAt() {
    const clock = virtualClock();
    let answer: HostSessionState = { state: 'live', lifeMs: LIFE_MS };
    const me = vi.fn<HostauthClient['me']>(async () => answer);
    const logOut = vi.fn<HostauthClient['logOut']>(async () => undefined);
    const sessions = new HostSessions({ client: { me, logOut }, clock, logger: pino({ level: 'silent' }) });
    const add = () => sessions.add('account', { token: 'token', username: 'ada', lifeMs: LIFE_MS });
    const openSocket = (identifier: string) => {
      const close = vi.fn<(code: number, reason: string) => void>();
      sessions.find(identifier)?.addSocket({ close });
      return close;
    };
    /** Advances the time, and lets the calls that become due end. */
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += CONFIRM_MS) {
        clock.advance(Math.min(CONFIRM_MS, ms - passed));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const answerWith = (next: HostSessionState) => (answer = next);
    return { clock, sessions, me, logOut, add, openSocket, pass, answerWith };
  }

  test('keeps people signed in while the service does not answer, until the session must have ended there', async () => {
    const { sessions, add, openSocket, pass, answerWith } = sessionsAt();
    const identifier = add();
    const close = openSocket(identifier);
    await pass(60_000);
    answerWith({ state: 'unknown' });
    await pass(LIFE_MS - CONFIRM_MS);
    expect(close).not.toHaveBeenCalled();
    expect(sessions.find(identifier)).toBeDefined();
    await pass(2 * CONFIRM_MS);
    expect(close.mock.calls).toEqual([UNAUTHORIZED]);
  });

  test('confirms a session that was not confirmed recently before a socket uses it', async () => {
    const { sessions, add, me, clock, answerWith } = sessionsAt();
    const identifier = add();
    expect([sessions.find(identifier)?.accountId, sessions.find('account')]).toEqual(['account', undefined]);
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
    const { sessions, add, openSocket, logOut } = sessionsAt();
    const identifier = add();
    const close = openSocket(identifier);
    const session = sessions.find(identifier);
    await session?.logOut();
    await session?.logOut();
    expect(logOut.mock.calls).toEqual([['token']]);
    expect(close.mock.calls).toEqual([UNAUTHORIZED]);
    expect(sessions.find(identifier)).toBeUndefined();
  });
});
