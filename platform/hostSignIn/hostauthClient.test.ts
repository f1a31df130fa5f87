import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CERTIFICATE, KEY } from '../endpoint/testing/certificates.ts';
import { systemClock, virtualClock } from '#shared/clock.ts';
import { fakeHelper, testApp } from '#hostauth/testing/testApp.ts';
import { CONFIRM_MS } from './hostSessions.ts';
import { createHostauthClient } from './hostauthClient.ts';
import { recordingLogger } from '../testing/observers.ts';
import { postAuth, ADA, testPlatform } from '../testing/testPlatform.ts';

/** A password that the sign-in form accepts (spec §2.1); the service's users all have it. */
const HOST_PASSWORD = 'sesame1!';

/** Starts the service with users that need no PAM: every name signs in with `HOST_PASSWORD`, except `busy`, for whom it is too busy. */
async function hostauthForTest(options: Parameters<typeof testApp>[0] = {}) {
  const helper = fakeHelper({
    async authenticate({ username, password }) {
      if (username === 'busy') return { kind: 'unavailable', reason: 'busy' };
      return password === HOST_PASSWORD ? { kind: 'accepted' } : { kind: 'refused', reason: 'credentials' };
    },
    close: async () => undefined,
  });
  return { ...(await testApp({ makeHelper: () => helper, ...options })), helper };
}

const WRONG = 'sesame2!';

function clientOf(url: string, clock = systemClock(globalThis)) {
  const { logger, logged } = recordingLogger();
  return { ...createHostauthClient({ url, clock, logger }), logged };
}

/** Starts a server that answers in another way than the service; returns its address. */
async function otherServer(listener: RequestListener, server: Server | TlsServer = createServer()) {
  await once(server.on('request', listener).listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${Object(server.address()).port}`;
}

test('reports a session as unknown while the service cannot check its account, or does not answer', async () => {
  const hostauth = await hostauthForTest();
  const client = clientOf(hostauth.url);
  const session = await client.signIn('ada', HOST_PASSWORD);
  if ('why' in session) throw new Error(session.why);
  hostauth.helper.lose();
  hostauth.clock.advance(3000);
  expect(await client.me(session)).toEqual({ state: 'unknown' });
  await hostauth.close();
  for (let asked = 0; asked < 2; asked++) expect(await client.me(session)).toEqual({ state: 'unknown' });
  expect(client.logged().match(/"path":"\/me","code":"ECONNREFUSED"/g)).toHaveLength(1);
});

test('reports each refusal of the service, with the time to wait; the password goes to the service itself, whatever proxy the environment names', async () => {
  const { url } = await hostauthForTest({ limits: { perUser: 1 } });
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1').stubEnv('http_proxy', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = clientOf(url);
  expect(await client.signIn('ada', HOST_PASSWORD)).toMatchObject({ username: 'ada' });
  expect(await client.signIn('ada', WRONG)).toEqual({ why: 'credentials' });
  expect(await client.signIn('busy', HOST_PASSWORD)).toEqual({ why: 'busy', retryAfterS: 1 });
  for (let attempt = 1; attempt < 10; attempt++) await client.signIn('ada', WRONG);
  expect(await client.signIn('ada', WRONG)).toEqual({ why: 'limited', retryAfterS: expect.any(Number) });
});

test('reports a service that does not answer in time as unreachable, and ends the request', async () => {
  const clock = virtualClock();
  const server = createServer();
  const client = clientOf(await otherServer(() => undefined, server), clock);
  const signIn = client.signIn('ada', HOST_PASSWORD);
  const [{ socket }] = await once(server, 'request');
  const closed = once(socket, 'close');
  clock.advance(13_000);
  expect(await signIn).toEqual({ why: 'unreachable' });
  await closed;
});

const OTHER_USER = JSON.stringify({ token: 't', username: 'root', expires_at: '2999-01-01T00:00:00Z' });

test.each<[string, RequestListener]>([
  ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['the token of another user', (_, response) => response.writeHead(200).end(OTHER_USER)],
  ['a failure', (_, response) => response.writeHead(500).end('{}')],
])('refuses %s as an unexpected answer', async (_, listener) => {
  const client = clientOf(await otherServer(listener));
  expect(await client.signIn('ada', HOST_PASSWORD)).toEqual({ why: 'unusable' });
  expect(client.logged()).toMatch(/"status":\d{3}.*unexpected answer/);
});

test('does not send the password to a service whose certificate it does not trust', async () => {
  const received = vi.fn<() => void>();
  const client = clientOf(await otherServer(received, new TlsServer({ cert: CERTIFICATE, key: KEY })));
  expect(await client.signIn('ada', HOST_PASSWORD)).toEqual({ why: 'unreachable' });
  expect(client.logged()).toContain('"code":"DEPTH_ZERO_SELF_SIGNED_CERT"');
  expect(received).not.toHaveBeenCalled();
});

/** A platform on the machine `box`, and the service that checks its users. */
async function scene(dataFile?: string) {
  const hostauth = await hostauthForTest();
  const host = { url: hostauth.url, isLocal: true, hostName: 'box' };
  const platform = await testPlatform(dataFile, { host });
  const signIn = (username = 'ada', fields: object = {}) =>
    postAuth(platform.apiUrl, { email: `${username}@box`, password: HOST_PASSWORD, name: '', ...fields });
  /** Lets the account of a user end, and the time pass until the platform has noticed it. */
  const lock = (username: string) => {
    hostauth.helper.ended.set(username, 'locked');
    hostauth.clock.advance(3000);
    platform.clock.advance(CONFIRM_MS);
  };
  return { hostauth, platform, signIn, lock };
}

const UNAUTHORIZED = { code: 4401, reason: 'unauthorized' };

test('a platform signs a user of the machine in, creates the account at the first sign-in, and keeps its conversation', async () => {
  const { platform, signIn } = await scene();
  const first = await signIn();
  expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^[\w-]{32}$/) });
  const client = await platform.connect(first.body);
  expect(client.conversation()).toMatchObject({ person: 'User Ada', messages: [{ action: 'connect' }] });
  client.sendText('hello');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  const second = await signIn();
  expect(second.body).not.toBe(first.body);
  const again = await platform.connect(second.body);
  expect(again.conversation().messages).toHaveLength(2);
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
  for (const secret of [ada.body, bob.body, 'adalovelace', HOST_PASSWORD, 'engine1844!'])
    expect(platform.logged()).not.toContain(secret);
  expect(platform.logged()).toContain('"why":"ended by the service"');
});

test('a platform ends the session in the service when the client closes with the reason `logout`', async () => {
  const { hostauth, platform, signIn } = await scene();
  const { body } = await signIn();
  const client = await platform.connect(body);
  client.socket.close(1000, 'logout');
  await hostauth.untilAudited('session ended');
  expect(hostauth.sessions.size).toBe(0);
  expect(await (await platform.connect(body)).closed).toEqual(UNAUTHORIZED);
});

test('a platform sets an account with a password aside when a user of the machine signs in with its address', async () => {
  const own = await testPlatform();
  const identifier = await own.register({ email: 'ada@box' });
  await own.close();
  const { platform, signIn } = await scene(own.dataFile);
  expect(await (await platform.connect(identifier)).closed).toEqual(UNAUTHORIZED);
  const client = await platform.connect((await signIn()).body);
  expect(client.conversation()).toMatchObject({ person: 'User Ada', messages: [{}] });
  await platform.close();
  const later = await testPlatform(own.dataFile);
  expect((await postAuth(later.apiUrl, { ...ADA, email: 'ada@box', name: '' })).status).toBe(401);
  expect(await (await later.connect(identifier)).closed).toEqual(UNAUTHORIZED);
});
