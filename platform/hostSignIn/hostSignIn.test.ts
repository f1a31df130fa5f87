import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import os, { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi, onTestFinished } from 'vitest';
import { systemClock, virtualClock } from '#shared/clock.ts';
import { credentialsError } from '#shared/protocol/credentials.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { PASSWORD, WRONG, testApp } from '#hostauth/testing/testApp.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { CERTIFICATE, KEY } from '../endpoint/testing/certificates.ts';
import { type HostAccount, createOpenHostAccount, lookUpHostUser, personName } from './hostAccounts.ts';
import { type HostSessionState, type HostauthClient, createHostauthClient } from './hostauthClient.ts';
import { HostSessions, CONFIRM_MS } from './hostSessions.ts';
import { readHostSettings } from './hostSettings.ts';
import { hashPassword } from '../storage/passwords.ts';
import { PlatformStore } from '../storage/platformStore.ts';
import { recordingLogger } from '../testing/observers.ts';
import { readStoredPlatform } from '../testing/readStoredPlatform.ts';
import { ADA, fillDisk, postAuth, temporaryFolder, testPlatform } from '../testing/testPlatform.ts';

const USER: HostAccount = { username: 'ada', uid: 1000, email: 'ada@box', person: 'Ada Lovelace' };

async function accounts() {
  const clock = virtualClock();
  const path = join(await temporaryFolder(), 'platform.sqlite');
  const { logger, logged } = recordingLogger();
  const store = new PlatformStore({ path, clock, logger });
  onTestFinished(() => store.close());
  const assistants = createDemonstrations({ clock, newId: () => 'm1' });
  const openAccount = createOpenHostAccount({ store, assistants, logger });
  const open = async (fields: Partial<HostAccount> = {}) => {
    const opened = await openAccount({ ...USER, ...fields });
    if ('refused' in opened) throw new Error(opened.refused.error);
    return opened.id;
  };
  return { store, open, logged };
}

test('opens one account for a user, also for two first sign-ins at once, until it is revoked', async () => {
  const { store, open } = await accounts();
  const [first, second] = await Promise.all([open(), open()]);
  expect([second, await open()]).toEqual([first, first]);
  const stored = { email: 'ada@box', hostUser: 'ada:1000', password: null };
  expect(store.account('id', first)).toMatchObject(stored);
  const eve = { username: 'eve', email: 'eve@box' };
  const others = await Promise.allSettled([open(eve), open({ ...eve, uid: 1001 })]);
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await store.setRevoked('ada@box', true);
  await expect(open()).rejects.toThrow('This account was revoked.');
});

test('sets an account aside that belongs to a user with another uid, or has a password of its own: it keeps its messages, and is revoked', async () => {
  const { store, open, logged } = await accounts();
  const password = await hashPassword(ADA.password, 1024);
  await store.add({ ...USER, id: 'own', password, hostUser: null, messages: [{ modifier: 'ai' }] });
  const first = await open();
  const second = await open({ uid: 1001 });
  for (const uid of [1001, null]) expect(await open({ uid })).toBe(second);
  const ofBob = { username: 'bob', email: 'bob@box' };
  const bob = await open({ ...ofBob, uid: null });
  expect(await open({ ...ofBob, uid: 1002 })).toBe(bob);
  const aside = 'an account is set aside: its address is now that of another user';
  expect(logged()).toBe([1, 2].map((at) => `{"level":40,"number":${at},"msg":"${aside}"}\n`).join(''));
  const earlier = ['own', first].map((id) => store.account('id', id));
  const revokedAt = expect.any(Number);
  expect(earlier).toMatchObject(['ada@box #1', 'ada@box #2'].map((email) => ({ email, revokedAt })));
  for (const account of earlier) expect(account && store.conversation(account).messages).toHaveLength(1);
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

test('names a machine `localhost` whose own name cannot be in an address', () => {
  const own = vi.spyOn(os, 'hostname').mockReturnValue('a_box');
  syncBuiltinESMExports();
  const settings = readHostSettings({ PARLEY_PLATFORM_HOSTAUTH: 'http://127.0.0.1:4320' });
  own.mockRestore();
  syncBuiltinESMExports();
  expect(settings).toMatchObject({ hostName: 'localhost', isLocal: true });
});

const LIFE_MS = 900_000;

/** Sessions whose service answers what the test sets; one session is added. */
function sessionsAt() {
  const clock = virtualClock();
  let answer: HostSessionState = { state: 'live', lifeMs: LIFE_MS };
  const me = vi.fn<HostauthClient['me']>(async () => answer);
  const logOut = vi.fn<HostauthClient['logOut']>(async () => undefined);
  const { logger, logged } = recordingLogger();
  const sessions = new HostSessions({ client: { me, logOut }, clock, logger });
  const add = () => sessions.add('account', { token: 'token', username: 'ada', lifeMs: LIFE_MS });
  /** Advances the time, and lets the calls that become due end. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += CONFIRM_MS) {
      clock.advance(Math.min(CONFIRM_MS, ms - passed));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const answerWith = (next: HostSessionState) => (answer = next);
  return { clock, sessions, logged, me, logOut, add, pass, answerWith };
}

test('keeps people signed in while the service does not answer, until the session must have ended there', async () => {
  const { clock, sessions, logged, add, pass, answerWith } = sessionsAt();
  const identifier = add();
  const close = vi.fn<(code: number, reason: string) => void>();
  sessions.find(identifier)?.addSocket({ close });
  await pass(60_000);
  answerWith({ state: 'unknown' });
  await pass(LIFE_MS - CONFIRM_MS);
  expect(close).not.toHaveBeenCalled();
  expect(sessions.find(identifier)).toBeDefined();
  await pass(2 * CONFIRM_MS);
  expect(close.mock.calls).toEqual([[4401, 'unauthorized']]);
  // A session without a use ends at the next sign-in.
  add();
  clock.advance(LIFE_MS);
  add();
  expect(logged().match(/"why":"not confirmed"/g)).toHaveLength(2);
});

test('confirms a session that was not confirmed recently before a socket uses it', async () => {
  const { sessions, add, me, logOut, clock, answerWith } = sessionsAt();
  const identifier = add();
  const session = sessions.find(identifier);
  const enter = () => session?.addSocket({ close: () => undefined });
  const [leave, leaveLast] = [enter(), enter()];
  leave?.();
  expect(clock.nextDue()).toBe(CONFIRM_MS);
  leaveLast?.();
  expect(clock.nextDue()).toBeUndefined();
  expect([sessions.find(identifier)?.accountId, sessions.find('account')]).toEqual(['account', undefined]);
  await sessions.confirm(identifier);
  expect(me).not.toHaveBeenCalled();
  clock.advance(CONFIRM_MS);
  await Promise.all([sessions.confirm(identifier), sessions.confirm(identifier)]);
  await sessions.confirm(identifier);
  expect(me).toHaveBeenCalledOnce();
  const leaveSoon = enter();
  clock.advance(CONFIRM_MS);
  leaveSoon?.();
  await sessions.confirm(identifier);
  answerWith({ state: 'unknown' });
  clock.advance(CONFIRM_MS);
  for (const calls of [3, 4]) {
    await sessions.confirm(identifier);
    expect([me.mock.calls.length, clock.nextDue()]).toEqual([calls, undefined]);
  }
  expect(sessions.find(identifier)).toBeDefined();
  answerWith({ state: 'ended' });
  clock.advance(CONFIRM_MS);
  await sessions.confirm(identifier);
  expect(sessions.find(identifier)).toBeUndefined();
  await session?.logOut();
  expect(logOut).not.toHaveBeenCalled();
  const other = add();
  sessions.find(other)?.addSocket({ close: () => undefined });
  void sessions.find(other)?.logOut();
  expect([sessions.find(other), clock.nextDue()]).toEqual([undefined, undefined]);
});

function clientOf(url: string, clock = systemClock(globalThis)) {
  const { logger, logged } = recordingLogger();
  return { ...createHostauthClient({ url, clock, logger }), logged };
}

async function otherServer(listener: RequestListener, server: Server | TlsServer = createServer()) {
  await once(server.on('request', listener).listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${Object(server.address()).port}`;
}

test('reports a session as unknown while the service does not answer; logs this once, and once that it answers again', async () => {
  let isDown = false;
  const listener: RequestListener = ({ socket }, response) =>
    void (isDown ? socket.destroy() : response.end());
  const clock = virtualClock();
  const client = clientOf(await otherServer(listener), clock);
  for (const down of [false, true, true, false, false, true]) {
    isDown = down;
    expect(await client.me({ token: 't', username: 'ada' })).toEqual({ state: 'unknown' });
  }
  const down = '{"level":40,"path":"/me","code":"ECONNRESET","msg":"hostauth does not answer"}\n';
  expect(client.logged()).toBe(`${down}{"level":30,"msg":"hostauth answers again"}\n${down}`);
  expect(clock.nextDue()).toBeUndefined();
});

test('reports a service that does not answer in time as unreachable, and ends the request', async () => {
  const clock = virtualClock();
  const server = createServer();
  const client = clientOf(await otherServer(() => undefined, server), clock);
  for (const [call, ms, answer] of [
    [() => client.signIn('ada', PASSWORD), 13_000, { why: 'unreachable' }],
    [() => client.me({ token: 't', username: 'ada' }), 4000, { state: 'unknown' }],
  ] as const) {
    const called = call();
    const [{ socket }] = await once(server, 'request');
    const closed = once(socket, 'close');
    expect(clock.nextDue()).toBe(clock.now() + ms);
    clock.advance(ms);
    expect(await called).toEqual(answer);
    await closed;
  }
});

test('says in words what an answer of the service means: to a sign-in, and about a session', async () => {
  let answer: readonly [status: number, body: string, headers?: Readonly<Record<string, string>>];
  const listener: RequestListener = (_, response) => response.writeHead(answer[0], answer[2]).end(answer[1]);
  const { me } = clientOf(await otherServer(listener));
  const { signIn, platform } = await platformAt(await otherServer(listener));
  const path = join(import.meta.dirname, 'testing/answers.txt');
  const table = await tableOf(path, async (line) => {
    answer = JSON.parse(line);
    const { status, body } = await signIn();
    return `${status} ${body}\n${JSON.stringify(await me({ token: 't', username: 'ada' }))}`;
  });
  expect(platform.logged().match(/"status":\d+,"msg":"hostauth gave an unexpected answer"/g)).toHaveLength(7);
  await expect(table).toMatchFileSnapshot(path);
});

test('does not send the password to a service whose certificate it does not trust', async () => {
  const received = vi.fn<() => void>();
  const client = clientOf(await otherServer(received, new TlsServer({ cert: CERTIFICATE, key: KEY })));
  expect(await client.signIn('ada', PASSWORD)).toEqual({ why: 'unreachable' });
  expect(client.logged()).toContain('"code":"DEPTH_ZERO_SELF_SIGNED_CERT"');
  expect(received).not.toHaveBeenCalled();
});

/** A platform on the machine `box`, with the service at this address. */
async function platformAt(url: string, isLocal = true) {
  const platform = await testPlatform(undefined, { host: { url, isLocal, hostName: 'box' } });
  const signIn = (username = 'ada', fields: object = {}) =>
    postAuth(platform.apiUrl, { email: `${username}@box`, password: PASSWORD, name: '', ...fields });
  return { platform, signIn };
}

async function scene(isLocal = true) {
  const hostauth = await testApp();
  const { platform, signIn } = await platformAt(hostauth.url, isLocal);
  /** Lets the account of a user end, and the time pass until the platform has noticed it. */
  const lock = (username: string) => {
    hostauth.helper.ended.set(username, 'locked');
    hostauth.clock.advance(3000);
    platform.clock.advance(CONFIRM_MS);
  };
  return { hostauth, platform, signIn, lock };
}

const HELLO = expect.stringMatching(/^Hello, User Ada\./);
const UNAUTHORIZED = { code: 4401, reason: 'unauthorized' };

test('a platform signs a user of the machine in, creates the account at the first sign-in, and keeps its conversation', async () => {
  const { platform, signIn } = await scene();
  const first = await signIn();
  expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^[\w-]{32}$/) });
  const client = await platform.connect(first.body);
  const greeting = { time: expect.any(String), content: [{ text: HELLO }] };
  expect(client.conversation()).toMatchObject({ person: 'User Ada', messages: [greeting] });
  client.sendText('hello');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  for (const email of ['ada@BOX', 'ada@localhost']) {
    const { body } = await signIn('ada', { email });
    expect(body).not.toBe(first.body);
    expect((await platform.connect(body)).conversation().messages).toHaveLength(2);
  }
});

test.each([true, false])(
  'a platform asks the user database about users of its own machine: %s',
  async (isLocal) => {
    const { platform, signIn } = await scene(isLocal);
    const { username, uid } = userInfo();
    expect(await signIn(username)).toMatchObject({ status: 200 });
    const { gecos = '' } = isLocal ? ((await lookUpHostUser(username)) ?? {}) : {};
    const stored = { person: personName(username, gecos), hostUser: `${username}:${isLocal ? uid : ''}` };
    expect(readStoredPlatform(platform.dataFile)).toMatchObject([stored]);
  },
);

test('a platform says in words why it signs nobody in; it ends the session in the service when the account cannot be opened; the password goes to the service itself, whatever proxy the environment names', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1').stubEnv('http_proxy', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { hostauth, signIn } = await scene();
  const answers: string[] = [];
  const attempt = async (fields: object) => {
    const { status, body } = await signIn('ada', fields);
    answers.push(`${JSON.stringify(fields)}: ${status} ${body.replace(/\d+ seconds/, 'N seconds')}\n`);
  };
  const others = [{ name: 'Ada' }, { password: 'correct horse' }, { email: 'busy@box' }];
  for (const fields of [{ email: 'ada@example.org' }, { email: 'ada' }, ...others]) await attempt(fields);
  const makeRoom = fillDisk();
  await attempt({});
  makeRoom();
  expect(hostauth.sessions.size).toBe(0);
  for (let count = 0; count <= 10; count++) await attempt({ password: WRONG });
  await hostauth.close();
  await attempt({});
  await expect(answers.join('')).toMatchFileSnapshot('testing/refusals.txt');
});

test('a platform closes the sockets of a user who was locked with `unauthorized`, and no others; logs no user name, password, token or identifier', async () => {
  const { hostauth, platform, signIn, lock } = await scene();
  const [ada, bob] = await Promise.all([signIn('adalovelace'), signIn('bob')]);
  await signIn('adalovelace', { password: 'engine1844!' });
  const clients = await Promise.all([ada, ada, bob].map(({ body }) => platform.connect(body)));
  lock('adalovelace');
  for (const { closed } of clients.slice(0, 2)) expect(await closed).toEqual(UNAUTHORIZED);
  expect(await (await platform.connect(ada.body)).closed).toEqual(UNAUTHORIZED);
  const other = clients[2];
  other?.sendText('still here');
  await other?.until(({ newest }) => newest()?.modifier === 'client');
  await hostauth.close();
  await signIn('adalovelace');
  await platform.close();
  for (const secret of [ada.body, bob.body, 'adalovelace', PASSWORD, 'engine1844!'])
    expect(platform.logged()).not.toContain(secret);
  expect(platform.logged()).toContain(
    '{"level":30,"why":"ended by the service","msg":"a session of a host user ended"}',
  );
  expect(platform.clock.nextDue()).toBeUndefined();
});

test('a platform ends the session and its other sockets, and the session in the service, when the client closes with the reason `logout`', async () => {
  const { hostauth, platform, signIn } = await scene();
  const { body } = await signIn();
  (await platform.connect(body)).socket.close(1000, 'another reason');
  await platform.untilLogged('a socket closed');
  expect(platform.clock.nextDue()).toBeUndefined();
  const [client, other] = [await platform.connect(body), await platform.connect(body)];
  expect(other.updates()).toHaveLength(1);
  client.socket.close(1000, 'logout');
  expect(await other.closed).toEqual(UNAUTHORIZED);
  await hostauth.untilAudited('session ended');
  expect(hostauth.sessions.size).toBe(0);
  expect(await (await platform.connect(body)).closed).toEqual(UNAUTHORIZED);
});
