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
import { CERTIFICATE, KEY } from '../testing/certificate.ts';
import { WRONG, fakeAuthenticator } from '../testing/fakeHelper.ts';
import { fakeHelper } from '../testing/fakeHelper.ts';
import { post } from '../testing/testApp.ts';
import { startServer } from './startServer.ts';

const QUIET = pino({ level: 'silent' });

/** Starts a service with the given settings on a free port. */
async function start(env: Record<string, string>) {
  const config = readConfig({ HOSTAUTH_PORT: '0', HOSTAUTH_USERS: 'off', ...env });
  const server = await startServer({ config, helper: fakeHelper(fakeAuthenticator()), logger: QUIET });
  onTestFinished(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

/** Writes files into a temporary folder; returns their paths. */
async function files(texts: Record<string, string>): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'hostauth-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const paths = Object.keys(texts).map((name) => [name, join(folder, name)] as const);
  await Promise.all(paths.map(([name, path]) => writeFile(path, texts[name] ?? '')));
  return Object.fromEntries(paths);
}

const withTls = () => files({ HOSTAUTH_TLS_CERT: CERTIFICATE, HOSTAUTH_TLS_KEY: KEY });

/** Options of a client that trusts the certificate for every name. */
const TRUSTING = {
  host: '127.0.0.1',
  path: '/healthz',
  ca: CERTIFICATE,
  checkServerIdentity: () => undefined,
  agent: false,
} as const;

/** Sends a request by TLS, and trusts only the certificate of the tests. */
const ask = (port: number, headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request({ ...TRUSTING, port, headers }, resolve)
      .once('error', reject)
      .end();
  });

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

test('takes its limits and its trusted proxies from the settings', async () => {
  const { url } = await start({
    HOSTAUTH_FAILURES: '2',
    HOSTAUTH_ADDRESS_FAILURES: '1',
    HOSTAUTH_TRUSTED_PROXIES: '127.0.0.1',
  });
  const signInFrom = async (address: string) =>
    (await post(`${url}/auth`, { username: 'ada', password: WRONG }, { 'x-forwarded-for': address })).status;
  const addresses = ['203.0.113.1', '203.0.113.1', '203.0.113.2'];
  const statuses = await Promise.all(addresses.map(signInFrom));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([401, 401, 429]);
});

test('accepts only the names in the certificate when it listens on every address', async () => {
  const { url, port } = await start({ HOSTAUTH_HOST: '0.0.0.0', ...(await withTls()) });
  expect(url).toBe(`https://0.0.0.0:${port}`);
  const statusOf = async (headers: Record<string, string>) => (await ask(port, headers)).statusCode;
  for (const name of ['hostauth.test', 'HOSTAUTH.test', 'a.wild.test', '127.0.0.1', 'localhost']) {
    const host = `${name}:${port}`;
    expect(await statusOf({ host })).toBe(200);
    expect(await statusOf({ host, origin: `https://${host}` })).toBe(200);
    expect(await statusOf({ host, origin: `http://${host}` })).toBe(403);
  }
  for (const host of ['evil.test', 'wild.test', 'a.b.wild.test', '10.0.0.1', '[::2]']) {
    expect(await statusOf({ host: `${host}:${port}` })).toBe(403);
  }
});

test('reports a certificate that is missing, invalid or of another key in one line that names the settings', async () => {
  const good = await withTls();
  const none = await files({ HOSTAUTH_TLS_CERT: 'none', HOSTAUTH_TLS_KEY: KEY });
  for (const env of [
    none,
    { ...good, HOSTAUTH_TLS_KEY: '/nowhere/key.pem' },
    { ...good, ...swapped(good) },
  ]) {
    await expect(start(env)).rejects.toThrow(
      /^HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY cannot be used \([^\n]+\): name readable PEM files/,
    );
  }
});

const swapped = ({ HOSTAUTH_TLS_CERT = '', HOSTAUTH_TLS_KEY = '' }: Record<string, string>) => ({
  HOSTAUTH_TLS_CERT: HOSTAUTH_TLS_KEY,
  HOSTAUTH_TLS_KEY: HOSTAUTH_TLS_CERT,
});

test('reports a port in use in one line that names it', async () => {
  const { port } = await start({});
  await expect(start({ HOSTAUTH_PORT: String(port) })).rejects.toThrow(
    `cannot listen on 127.0.0.1, port ${port} (EADDRINUSE): name another`,
  );
});
