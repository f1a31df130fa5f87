import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CERTIFICATE, KEY } from '#hostauth/testing/certificate.ts';
import { systemClock, virtualClock } from '#shared/clock.ts';
import { HOST_PASSWORD, hostauthForTest } from '#tests/builders/hostauthForTest.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { createHostauthClient } from './hostauthClient.ts';

const WRONG = 'sesame2!';

function clientOf(url: string, clock = systemClock(globalThis)) {
  const { logger, logged } = recordingLogger();
  return { ...createHostauthClient({ url, clock, logger }), logged };
}

/** Signs Ada in at a service, whose client is returned too. */
async function signedIn() {
  const hostauth = await hostauthForTest();
  const client = clientOf(hostauth.url);
  const session = await client.signIn('ada', HOST_PASSWORD);
  if ('why' in session) throw new Error(session.why);
  return { hostauth, client, session };
}

/** Starts a server that answers in another way than the service; returns its address. */
async function otherServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return addressOf(server);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return `http://127.0.0.1:${address.port}`;
}

test('signs in, confirms the session and ends it at the real service', async () => {
  const { client, session } = await signedIn();
  expect(session).toMatchObject({ username: 'ada', token: expect.stringMatching(/^[\w-]{43}$/) });
  expect(session.lifeMs).toBeGreaterThan(0);
  expect(await client.me(session)).toEqual({ state: 'live', lifeMs: expect.any(Number) });
  await client.logOut(session.token);
  expect(await client.me(session)).toEqual({ state: 'ended' });
});

test('reports a session as ended when its account is locked', async () => {
  const { hostauth, client, session } = await signedIn();
  hostauth.lock('ada');
  hostauth.clock.advance(3000);
  expect(await client.me(session)).toEqual({ state: 'ended' });
});

test('reports a session as unknown while the service cannot check its account, or does not answer', async () => {
  const { hostauth, client, session } = await signedIn();
  hostauth.helper.lose();
  hostauth.clock.advance(3000);
  expect(await client.me(session)).toEqual({ state: 'unknown' });
  await hostauth.close();
  expect(await client.me(session)).toEqual({ state: 'unknown' });
  expect(await client.me(session)).toEqual({ state: 'unknown' });
  expect(client.logged().match(/"path":"\/me","code":"ECONNREFUSED"/g)).toHaveLength(1);
});

test('reports each refusal of the service, with the time to wait', async () => {
  const { url } = await hostauthForTest({ limits: { perUser: 1 } });
  const client = clientOf(url);
  expect(await client.signIn('ada', WRONG)).toEqual({ why: 'credentials' });
  expect(await client.signIn('busy', HOST_PASSWORD)).toEqual({ why: 'busy', retryAfterS: 1 });
  for (let attempt = 1; attempt < 10; attempt++) await client.signIn('ada', WRONG);
  expect(await client.signIn('ada', WRONG)).toEqual({ why: 'limited', retryAfterS: expect.any(Number) });
});

test('reports a service that does not answer in time as unreachable, and ends the request', async () => {
  const [asked, closed] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const url = await otherServer((request) => {
    request.socket.on('close', closed);
    asked();
  });
  const clock = virtualClock();
  const client = clientOf(url, clock);
  const signIn = client.signIn('ada', HOST_PASSWORD);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), POLLING);
  clock.advance(13_000);
  expect(await signIn).toEqual({ why: 'unreachable' });
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), POLLING);
});

const OTHER_USER = JSON.stringify({ token: 't', username: 'root', expires_at: '2999-01-01T00:00:00Z' });

test.each<[string, RequestListener]>([
  ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
  ['the token of another user', (_, response) => response.writeHead(200).end(OTHER_USER)],
  ['a redirect', (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/auth' }).end()],
  ['a failure', (_, response) => response.writeHead(500).end('{}')],
])('refuses %s as an unexpected answer', async (_, listener) => {
  const client = clientOf(await otherServer(listener));
  expect(await client.signIn('ada', HOST_PASSWORD)).toEqual({ why: 'unusable' });
  expect(client.logged()).toMatch(/"status":\d{3}.*unexpected answer/);
});

test('does not send the password to a service whose certificate it does not trust', async () => {
  const received = vi.fn<() => void>();
  const server = createTlsServer({ cert: CERTIFICATE, key: KEY }, received).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const client = clientOf(addressOf(server).replace('http:', 'https:'));
  expect(await client.signIn('ada', HOST_PASSWORD)).toEqual({ why: 'unreachable' });
  expect(client.logged()).toContain('"code":"DEPTH_ZERO_SELF_SIGNED_CERT"');
  expect(received).not.toHaveBeenCalled();
});

test('sends the password to the service itself, whatever proxy the environment names', async () => {
  const { url } = await hostauthForTest();
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1').stubEnv('http_proxy', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await clientOf(url).signIn('ada', HOST_PASSWORD)).toMatchObject({ username: 'ada' });
});

test('logs no name, password or token', async () => {
  const { hostauth, client, session } = await signedIn();
  await client.signIn('ada', WRONG);
  await hostauth.close();
  await client.signIn('ada', HOST_PASSWORD);
  await client.me(session);
  await client.logOut(session.token);
  for (const secret of ['ada', HOST_PASSWORD, WRONG, session.token])
    expect(client.logged()).not.toContain(secret);
});
