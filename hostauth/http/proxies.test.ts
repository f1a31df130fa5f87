import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../base/config.ts';
import { startServer } from './startServer.ts';
import { CERTIFICATE, KEY } from '#platform/endpoint/testing/certificates.ts';
import { WRONG, fakeAuthenticator, fakeHelper, PASSWORD, post, testApp } from '../testing/testApp.ts';

const QUIET = pino({ level: 'silent' });

/** Starts a service with the given settings on a free port. */
async function start(env: Record<string, string>) {
  const config = readConfig({ HOSTAUTH_PORT: '0', HOSTAUTH_USERS: 'off', ...env });
  const server = await startServer({ config, helper: fakeHelper(fakeAuthenticator()), logger: QUIET });
  onTestFinished(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

/** Writes the certificate and its key into a temporary folder; returns their paths. */
async function withTls(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'hostauth-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = { HOSTAUTH_TLS_CERT: join(folder, 'cert'), HOSTAUTH_TLS_KEY: join(folder, 'key') };
  await writeFile(paths.HOSTAUTH_TLS_CERT, CERTIFICATE);
  await writeFile(paths.HOSTAUTH_TLS_KEY, KEY);
  return paths;
}

/** Sends a request by TLS, and trusts only the certificate of the tests, for every name. */
async function ask(port: number, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const trusting = { ca: CERTIFICATE, checkServerIdentity: () => undefined, agent: false } as const;
  const asked = request({ host: '127.0.0.1', port, path: '/healthz', headers, ...trusting }).end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  if (response === undefined) throw new Error('there is no answer');
  return response;
}

test('contract §8 host: listens on loopback without TLS and returns its address', async () => {
  const { url } = await start({});
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('contract §8 host: answers by TLS only when TLS is set, and tells browsers to use it', async () => {
  const { url, port } = await start(await withTls());
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:[1-9]\d*$/);
  const response = await ask(port);
  expect([response.statusCode, await json(response)]).toEqual([200, { status: 'ok' }]);
  expect(response.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  const plain = connect(port, '127.0.0.1', () => plain.write('GET /healthz HTTP/1.1\r\n\r\n'));
  expect(await text(plain)).not.toContain('200');
});

test('accepts only the names in the certificate when it listens on every address', async () => {
  const { url, port } = await start({ HOSTAUTH_HOST: '0.0.0.0', ...(await withTls()) });
  expect(url).toBe(`https://0.0.0.0:${port}`);
  const statusOf = async (headers: Record<string, string>) => (await ask(port, headers)).statusCode;
  for (const name of ['HOSTAUTH.test', 'a.wild.test', 'localhost']) {
    const host = `${name}:${port}`;
    expect(await statusOf({ host })).toBe(200);
    expect(await statusOf({ host, origin: `https://${host}` })).toBe(200);
    expect(await statusOf({ host, origin: `http://${host}` })).toBe(403);
  }
  for (const host of ['evil.test', 'a.b.wild.test', '10.0.0.1']) {
    expect(await statusOf({ host: `${host}:${port}` })).toBe(403);
  }
});

test('reports a certificate that is missing, invalid or of another key in one line that names the settings', async () => {
  const { HOSTAUTH_TLS_CERT = '', HOSTAUTH_TLS_KEY = '' } = await withTls();
  for (const [cert, key] of [
    [import.meta.filename, HOSTAUTH_TLS_KEY],
    [HOSTAUTH_TLS_CERT, '/nowhere/key.pem'],
    [HOSTAUTH_TLS_KEY, HOSTAUTH_TLS_CERT],
  ] as const)
    await expect(start({ HOSTAUTH_TLS_CERT: cert, HOSTAUTH_TLS_KEY: key })).rejects.toThrow(
      /^HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY cannot be used \([^\n]+\): name readable PEM files/,
    );
});

const PROXY = { trustedProxies: ['127.0.0.1', '10.0.0.0/8'] };

const DIRECT = '127.0.0.1';

test.each([
  ['no proxy', {}, [['203.0.113.9', DIRECT]]],
  [
    'the proxy',
    PROXY,
    [
      ['203.0.113.9', '203.0.113.9'],
      // The client's own value is at the left.
      ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
      ['198.51.100.1, 203.0.113.9, 10.2.3.4', '203.0.113.9'],
      // Not an address.
      ['203.0.113.9, <script>', DIRECT],
      ['2001:db8::7', '2001:db8::7'],
      // Some proxies add the port.
      ['198.51.100.1, 203.0.113.9:4711', '203.0.113.9'],
      ['[2001:db8::7]:4711', '2001:db8::7'],
    ],
  ],
])('logs the address of the client when %s is trusted', async (_who, options, rows) => {
  const { url, log } = await testApp(options);
  for (const [forwarded = '', address] of rows) {
    const before = log.length;
    await post(`${url}/auth`, wrong('ada'), { 'x-forwarded-for': forwarded });
    expect(log.slice(before).map((line) => line['address'])).toEqual([address, address]);
  }
});

/** Signs in through the proxy; returns the status. */
async function signIn(url: string, address: string, credentials: { username: string; password: string }) {
  return (await post(`${url}/auth`, credentials, { 'x-forwarded-for': address })).status;
}
const wrong = (username: string) => ({ username, password: WRONG });
const RIGHT = { username: 'eve', password: PASSWORD };

test('contract §8 failures, proxies: counts failures separately for each address behind a trusted proxy', async () => {
  const { url } = await testApp({ ...PROXY, failures: 10, addressFailures: 2 });
  for (const name of ['ada', 'ben']) expect(await signIn(url, '203.0.113.9', wrong(name))).toBe(401);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(429);
  // A value that the client adds itself has no effect.
  expect(await signIn(url, '198.51.100.1, 203.0.113.9', RIGHT)).toBe(429);
  expect(await signIn(url, '198.51.100.1', RIGHT)).toBe(200);
});

test('contract §8 proxies: wrong names from the address of a trusted proxy lock out nobody behind it', async () => {
  const { url } = await testApp({ ...PROXY, addressFailures: 60 });
  const direct = Array.from({ length: 61 }, (_, i) => post(`${url}/auth`, wrong(`name${i}`)));
  const statuses = (await Promise.all(direct)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(200);
  expect((await post(`${url}/auth`, RIGHT)).status).toBe(429);
});

test('counts failures for the /64 of an IPv6 address, and for an IPv4 address in IPv6 form', async () => {
  const { url } = await testApp({ ...PROXY, addressFailures: 2 });
  for (const end of ['1', 'ffff:1']) expect(await signIn(url, `2001:db8::${end}`, wrong('ada'))).toBe(401);
  expect(await signIn(url, '2001:db8:0:0:8000::', RIGHT)).toBe(429);
  expect(await signIn(url, '2001:db8:0:1::', RIGHT)).toBe(200);
  for (const name of ['ada', 'ben']) expect(await signIn(url, '::ffff:203.0.113.9', wrong(name))).toBe(401);
  expect(await signIn(url, '203.0.113.9', RIGHT)).toBe(429);
});
