import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Server, Socket, connect } from 'node:net';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import Fastify from 'fastify';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../base/config.ts';
import { fastifyOptions } from './fastifyOptions.ts';
import { clientAddress, createHostCheck } from './guards/hostCheck.ts';
import { startServer } from './startServer.ts';
import { CERTIFICATE, KEY } from '#platform/endpoint/testing/certificates.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { PASSWORD, SECRET, type TestApp, WRONG, post, problemOf, testApp } from '../testing/testApp.ts';
import { fakeAuthenticator, fakeHelper } from '../testing/testApp.ts';

const RIGHT = { username: 'ada', password: PASSWORD };
const wrong = (username: string) => ({ username, password: WRONG });

async function answerTo(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(lines.join('\r\n'));
  return text(socket);
}

const bodyOf = (bytes: number) => {
  const empty = JSON.stringify({ username: 'ada', password: '' });
  return JSON.stringify({ username: 'ada', password: SECRET.padEnd(bytes - empty.length, 'x') });
};

test('contract §8 JSON only: answers 400 to what is not the JSON of a sign-in, 413 to more than 4096 bytes, 415 to other types, and does not ask PAM', async () => {
  const { url, authenticator } = await testApp();
  for (const body of [
    { ...RIGHT, username: 1 },
    { password: PASSWORD },
    { ...RIGHT, role: SECRET },
    `{"username":"ada","password":"${PASSWORD}","__proto__":{"admin":true}}`,
    `{"username":"ada","password":"${PASSWORD}","constructor":{"prototype":{}}}`,
    `{"username":"ada","password":"${PASSWORD}"`,
    `{"username":"ada","password":"${PASSWORD}"} ${SECRET}`,
  ])
    expect([body, await problemOf(await post(`${url}/auth`, body))]).toEqual([body, '400 invalid-request']);
  expect(await problemOf(await post(`${url}/auth`, bodyOf(4097)))).toBe('413 too-large');
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    expect(await problemOf(await post(`${url}/auth`, RIGHT, { 'content-type': type }))).toBe('415 not-json');
  expect(authenticator.asked).toEqual([]);
  expect(await problemOf(await post(`${url}/auth`, bodyOf(4096)))).toBe('401 credentials');
});

const callWith = (port: number, call: string, fields: readonly string[]) =>
  answerTo(port, [`${call} HTTP/1.1`, ...fields, 'Connection: close', '', '']);

test('contract §8 foreign requests: answers 403 on every call to a foreign Host or Origin, whatever fields a proxy adds; accepts its own names as Host, with the Origin of that name; answers 400 to two Hosts', async () => {
  const { port } = await testApp({ trustedProxies: ['127.0.0.1'] });
  const forwarded = [`X-Forwarded-Host: 127.0.0.1:${port}`, 'X-Forwarded-For: 127.0.0.1'];
  const own = `Host: 127.0.0.1:${port}`;
  for (const fields of [
    [],
    [`host: evil.example:${port}`, ...forwarded],
    ['host: 127.0.0.1'],
    [`host: 127.0.0.1:${port}@evil.example`],
    [own, `origin: https://127.0.0.1:${port}`, 'X-Forwarded-Proto: https'],
    [own, 'origin: http://127.0.0.1:1', ...forwarded],
    [own, 'origin: null'],
  ])
    for (const call of ['POST /auth', 'GET /me', 'GET /healthz', 'GET /none']) {
      const answer = await callWith(port, call, fields);
      expect([fields, answer.slice(0, 13)]).toEqual([fields, 'HTTP/1.1 403 ']);
      expect(answer).toContain('urn:problem-type:hostauth:foreign-host');
      expect(answer.toLowerCase()).toContain('cache-control: no-store');
    }
  const statusOf = async (fields: readonly string[]) =>
    (await callWith(port, 'GET /healthz', fields)).slice(9, 12);
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    const host = `Host: ${name}:${port}`;
    const fields = [host, `Origin: http://${name}:${port}`];
    expect(await statusOf(fields)).toBe('200');
    expect(await statusOf([host, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'])).toBe('200');
    for (const second of [`127.0.0.1:${port}`, 'evil.example'])
      expect(await statusOf([...fields, `HOST: ${second}`])).toBe('400');
  }
});

test('contract §8 no-store, problems, other calls: every answer has the security header fields, also to an unknown call, to a request that is not HTTP, and, without details, after an internal error, which it logs', async () => {
  const fault = new Error('the cable is out');
  const { port, log } = await testApp({ calls: { authenticate: () => Promise.reject(fault) } });
  const own = `Host: 127.0.0.1:${port}`;
  const bearer = `Authorization: Bearer ${'x'.repeat(20_000)}`;
  const answers: string[] = [];
  const draw = (title: string, answer: string) =>
    answers.push(`=== ${title}\n${answer.replace(/^Date: .*\r\n/im, '').replaceAll('\r', '')}\n`);
  for (const path of ['metrics', 'healthz', 'me', 'none', 'auth', `${SECRET}?${SECRET}`, '%'])
    draw(`GET /${path}`, await callWith(port, `GET /${path}`, [own]));
  draw('two Hosts', await callWith(port, 'GET /healthz', [own, own]));
  draw('a foreign Host', await callWith(port, 'GET /healthz', ['Host: evil.example']));
  draw('too long a header', await callWith(port, 'GET /me', [own, bearer]));
  const body = JSON.stringify(RIGHT);
  const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
  draw('an internal error', await answerTo(port, ['POST /auth HTTP/1.1', own, ...fields, '', body]));
  expect(log.filter(({ level }) => level === 50)).toMatchObject([{ err: { message: fault.message } }]);
  draw('no HTTP', await answerTo(port, [SECRET, '', '']));
  await expect(answers.join('\n')).toMatchFileSnapshot('testing/answers.txt');
});

/** The shipped times, in hundredths. */
const SHORT = { headersMs: 50, requestMs: 100, checkMs: 2 };

test('gives header fields 5 s and a request 10 s, with TLS too', async () => {
  for (const tls of [null, { cert: Buffer.from(CERTIFICATE), key: Buffer.from(KEY) }]) {
    const fastify = Fastify(fastifyOptions({ tls }));
    await fastify.ready();
    expect(fastify.server).toMatchObject({ headersTimeout: 5000, requestTimeout: 10_000 });
    const impatient = Fastify(fastifyOptions({ tls, times: SHORT }));
    onTestFinished(() => impatient.close());
    const port = Number(new URL(await impatient.listen({ port: 0, host: '127.0.0.1' })).port);
    expect(await text(connect(port, '127.0.0.1'))).toMatch(tls === null ? /^HTTP\/1\.1 408 / : /^$/);
  }
});

test('answers 408 and closes when only half of the header fields, or of the body, arrives in time', async () => {
  const { port, authenticator } = await testApp({ times: SHORT });
  const head = ['POST /auth HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Type: application/json'];
  for (const lines of [head, [...head, 'Content-Length: 9', '', '{"us']])
    expect(await answerTo(port, lines)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*hostauth:timeout/);
  expect(authenticator.asked).toEqual([]);
});

test('answers a sign-in that waits for PAM longer than a request may take to arrive', async () => {
  const { client, port, authenticator } = await testApp({ times: SHORT });
  authenticator.hold();
  const arrived = authenticator.waitForSignIns(1).then(() => true);
  // One that arrives too late is repeated: a busy machine may need longer than the short times.
  let answered = client.signIn(RIGHT);
  while (!(await Promise.race([arrived, answered.catch(() => false)]))) answered = client.signIn(RIGHT);
  // By then the sign-in is older than both times: a request that came after it has been late.
  for (const _ of [1, 2, 3]) expect(await text(connect(port, '127.0.0.1'))).toContain('408');
  authenticator.release();
  expect(await answered).toMatchObject({ username: 'ada' });
});

test('contract §8 other calls: the OpenAPI document describes every call; where users are open, their creation needs no token', async () => {
  const [admin, open] = await Promise.all(
    (['admin', 'open'] as const).map(async (users): Promise<unknown> => {
      const { url } = await testApp({ users, appHosts: ['wiki.example.org'] });
      return (await fetch(`${url}/openapi.json`)).json();
    }),
  );
  // A line for each answer.
  const drawn = JSON.stringify(admin, null, 1).replaceAll(/\n {6,}/g, ' ');
  await expect(drawn).toMatchFileSnapshot('testing/openapi.txt');
  expect(open).not.toHaveProperty(['paths', '/users', 'post', 'security']);
});

test('contract §8 other calls: the metrics count events and times; the log has one line for a request, with its route; neither has names or the requested path', async () => {
  const { url, client, tokenOf, log } = await testApp();
  const token = await tokenOf();
  await post(`${url}/auth`, wrong('ada'));
  await client.me(token);
  await fetch(`${url}/ada?ada`);
  for (const method of ['GET', 'DELETE']) await fetch(`${url}/sessions`, { method });
  await fetch(`${url}/metrics`);
  const all = await (await fetch(`${url}/metrics`)).text();
  for (const line of [
    'sessions 1',
    'events_total{event="sign-in succeeded"} 1',
    'events_total{event="sign-in failed",reason="credentials"} 1',
    'http_request_seconds_count{method="GET",route="/me",status="200"} 1',
    'http_request_seconds_count{method="POST",route="/auth",status="401"} 1',
    'http_request_seconds_count{method="GET",route="none",status="404"} 1',
    'http_request_seconds_count{method="GET",route="/sessions",status="401"} 1',
    'http_request_seconds_count{method="DELETE",route="/sessions",status="401"} 1',
  ])
    expect(all).toContain(`\nhostauth_${line}\n`);
  const buckets = all.match(/(?<=le=")\d[^"]*(?=",method="GET",route="\/me")/g)?.map(Number);
  expect(buckets).toEqual([0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10]);
  const answered = log.filter(({ msg }) => msg === 'answered');
  expect(answered.slice(2, 4)).toMatchObject([
    { method: 'GET', route: '/me', status: 200, address: '127.0.0.1' },
    { method: 'GET', route: 'none', status: 404, address: '127.0.0.1' },
  ]);
  const [, seconds] = /_seconds_sum\{method="GET",route="\/me",status="200"\} (\S+)/.exec(all) ?? [];
  expect(Number(seconds) * 1000).toBeCloseTo(Number(answered[2]?.['ms']), 2);
  expect(all + JSON.stringify(answered)).not.toContain('ada');
});

async function start(env: Record<string, string>) {
  const config = readConfig({ HOSTAUTH_PORT: '0', ...env });
  const audited: { audit?: unknown; slots?: unknown }[] = [];
  const write = (line: string) => void audited.push(JSON.parse(line));
  let port = 0;
  const close = vi.fn<() => Promise<void>>(() =>
    expect(once(connect(port, config.host), 'connect')).rejects.toThrow('ECONNREFUSED'),
  );
  const helper = { ...fakeHelper(fakeAuthenticator()), close };
  const listen = vi.spyOn(Server.prototype, 'listen');
  const beforeListen = vi.fn<() => void>(() => expect(listen).not.toHaveBeenCalled());
  const options = { config, helper, logger: pino({}, { write }), beforeListen };
  const server = await startServer(options).finally(() => listen.mockRestore());
  port = Number(new URL(server.url).port);
  onTestFinished(async () => {
    await server.close();
    expect([close.mock.calls, beforeListen.mock.calls]).toEqual([[[]], [[]]]);
    expect(audited[0]).toMatchObject({ audit: 'service started', slots: config.slots });
    expect(audited.at(-1)).toMatchObject({ audit: 'service stopped' });
  });
  return { ...server, port };
}

function withTls(): Record<string, string> {
  const folder = mainFolder();
  const paths = { HOSTAUTH_TLS_CERT: join(folder, 'cert'), HOSTAUTH_TLS_KEY: join(folder, 'key') };
  writeFileSync(paths.HOSTAUTH_TLS_CERT, CERTIFICATE);
  writeFileSync(paths.HOSTAUTH_TLS_KEY, KEY);
  return paths;
}

test('contract §8 host: listens on an IPv6 address, and shows its slots in the metrics', async () => {
  const { url, port } = await start({ HOSTAUTH_HOST: '::1', HOSTAUTH_SLOTS: '3' });
  expect(url).toBe(`http://[::1]:${port}`);
  const metrics = await fetch(`${url}/metrics`);
  expect(await metrics.text()).toMatch(/\nprocess_start_time_seconds \d[^]*\nhostauth_session_slots 3\n/);
  const taken = `cannot listen on ::1, port ${port} (EADDRINUSE): name another`;
  await expect(start({ HOSTAUTH_HOST: '::1', HOSTAUTH_PORT: String(port) })).rejects.toThrow(taken);
  expect(metrics.headers.get('strict-transport-security')).toBeNull();
});

test('uses the settings of users, apps, proxies and limits', async () => {
  const limits = { HOSTAUTH_FAILURES: '1', HOSTAUTH_ADDRESS_FAILURES: '2', HOSTAUTH_PER_USER: '1' };
  const apps = { HOSTAUTH_APP_HOSTS: 'wiki.example.org', HOSTAUTH_TRUSTED_PROXIES: '127.0.0.1' };
  const { url, port } = await start({ ...limits, ...apps, HOSTAUTH_USERS: 'off' });
  const failures = [signIn(url, '10.0.0.1', wrong('ada'))];
  for (const name of ['ben', 'eve']) failures.push(signIn(url, '10.0.0.2', wrong(name)));
  expect(await Promise.all(failures)).toEqual([401, 401, 401]);
  for (const [address, username, status] of [
    ['10.0.0.1', 'ada', 429],
    ['10.0.0.1', 'zoe', 200],
    ['10.0.0.2', 'kim', 429],
    ['10.0.0.3', 'zoe', 503],
  ] as const)
    expect([username, await signIn(url, address, { ...RIGHT, username })]).toEqual([username, status]);
  expect(await problemOf(await post(`${url}/users`, RIGHT))).toBe('403 users-off');
  expect(await callWith(port, 'GET /sign-in', ['Host: wiki.example.org'])).toMatch(/^HTTP\/1\.1 200 /);
});

test('contract §8 host: accepts its name in any case, without a port only at the port of the scheme, and the names in its certificate, each with its Origin', () => {
  const certificate = new X509Certificate(CERTIFICATE);
  const plain = createHostCheck({ host: 'Box.Example', certificate: null });
  const secure = createHostCheck({ host: '0.0.0.0', certificate });
  for (const [check, name, itsPort, otherPort] of [
    [plain, 'box.example', 80, 443],
    [plain, 'BOX.example', 80, 443],
    [secure, 'localhost', 443, 80],
    [secure, 'HOSTAUTH.test', 443, 80],
    [secure, 'a.wild.test', 443, 80],
  ] as const) {
    const entersAt = (localPort: number, host: string = name, origin?: string) =>
      check({
        headers: { host, ...(origin !== undefined && { origin: `${origin}://${host}` }) },
        socket: Object.defineProperty(new Socket(), 'localPort', { value: localPort }),
      });
    expect([name, entersAt(itsPort), entersAt(otherPort)]).toEqual([name, true, false]);
    const host = `${name}:${otherPort}`;
    expect(entersAt(otherPort, host)).toBe(true);
    const schemes = ['http', 'https'].map((scheme) => entersAt(otherPort, host, scheme));
    expect(schemes).toEqual([check === plain, check === secure]);
    for (const other of ['evil.test', 'a.b.wild.test', '10.0.0.1'])
      expect(entersAt(itsPort, other)).toBe(false);
  }
});

test('contract §8 host: answers by TLS only when TLS is set, and tells browsers to use it; accepts the names in its certificate', async () => {
  const { url, port } = await start(withTls());
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:[1-9]\d*$/);
  // Trusts only the certificate of the tests, for every name.
  const trusting = { ca: CERTIFICATE, checkServerIdentity: () => undefined, agent: false } as const;
  const headers = { host: `a.wild.test:${port}` };
  const asked = request({ host: '127.0.0.1', port, path: '/healthz', headers, ...trusting }).end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  expect([response?.statusCode, response && (await json(response))]).toEqual([200, { status: 'ok' }]);
  expect(response?.headers['strict-transport-security']).toMatch(/^max-age=\d+/);
  expect(await answerTo(port, ['GET /healthz HTTP/1.1', '', ''])).not.toContain('200');
  // It listens on this address alone.
  await expect(once(connect(port, '127.0.0.2'), 'connect')).rejects.toThrow('ECONNREFUSED');
});

test('reports a certificate that is missing, invalid or of another key in one line that names the settings', async () => {
  const { HOSTAUTH_TLS_CERT = '', HOSTAUTH_TLS_KEY = '' } = withTls();
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

async function signIn(url: string, address: string, credentials = RIGHT) {
  return (await post(`${url}/auth`, credentials, { 'x-forwarded-for': address })).status;
}

const addressOf = async ({ url, log }: TestApp, forwarded: string) => {
  const before = log.length;
  await signIn(url, forwarded, wrong('ada'));
  return [...new Set(log.slice(before).map((line) => line['address']))].join(' and ');
};

test('logs the address of the client as a trusted proxy tells it, and as the socket has it without one; `unknown` for a socket that was closed before', async () => {
  const trusting = await testApp(PROXY);
  for (const [forwarded, address] of [
    ['203.0.113.9', '203.0.113.9'],
    // The client's own value is at the left.
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, 10.2.3.4', '203.0.113.9'],
    // Not an address.
    ['203.0.113.9, <script>', '127.0.0.1'],
    ['2001:db8::7', '2001:db8::7'],
    // Some proxies add the port.
    ['198.51.100.1, 203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
  ] as const)
    expect(await addressOf(trusting, forwarded)).toBe(address);
  expect(await addressOf(await testApp(), '203.0.113.9')).toBe('127.0.0.1');
  expect(clientAddress(Object({}))).toBe('unknown');
});

test('contract §8 failures, proxies: counts failures for the /64 of an IPv6 address, and for an IPv4 address in IPv6 form; wrong names from the address of a trusted proxy lock out nobody behind it', async () => {
  const { url } = await testApp({ ...PROXY, addressFailures: 2 });
  for (const end of ['1', 'ffff:1']) expect(await signIn(url, `2001:db8::${end}`, wrong('ada'))).toBe(401);
  expect(await signIn(url, '2001:db8:0:0:8000::')).toBe(429);
  expect(await signIn(url, '2001:db8:0:1::')).toBe(200);
  for (const name of ['ada', 'ben']) {
    expect(await signIn(url, '::ffff:203.0.113.9', wrong(name))).toBe(401);
    expect((await post(`${url}/auth`, wrong(name))).status).toBe(401);
  }
  expect(await signIn(url, '203.0.113.9')).toBe(429);
  expect((await post(`${url}/auth`, RIGHT)).status).toBe(429);
  expect(await signIn(url, '203.0.113.10')).toBe(200);
});
