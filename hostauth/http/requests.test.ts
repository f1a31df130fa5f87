import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Client } from '../api/client.ts';
import { fastifyOptions } from './fastifyOptions.ts';
import { CERTIFICATE, KEY } from '#platform/endpoint/testing/certificates.ts';
import {
  PASSWORD,
  SECRET,
  type fakeAuthenticator,
  fakeHelper,
  WRONG,
  post,
  problemOf,
  testApp,
} from '../testing/testApp.ts';

const RIGHT = { username: 'ada', password: PASSWORD };

/** Sends bytes; returns all that the server answers until the connection ends. */
async function answerTo(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(lines.join('\r\n'));
  return text(socket);
}

/** The body of a sign-in with a length in bytes. */
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

test('contract §8 problems: answers 404 to an unknown call', async () => {
  const { url } = await testApp();
  expect(await problemOf(await fetch(`${url}/${SECRET}?${SECRET}`))).toBe('404 not-found');
  expect(await problemOf(await fetch(`${url}/auth`))).toBe('404 not-found');
  expect(await problemOf(await fetch(`${url}/%`))).toBe('400 invalid-request');
});

/** Sends a call without a body with these header fields; returns all of the answer. */
const callWith = (port: number, call: string, fields: readonly string[]) =>
  answerTo(port, [`${call} HTTP/1.1`, ...fields, 'Connection: close', '', '']);

test('contract §8 foreign requests: answers 403 on every call to a foreign Host or Origin, whatever fields a proxy adds', async () => {
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
});

test('contract §8 foreign requests: accepts its own names as Host, with the Origin of that name; answers 400 to two Hosts', async () => {
  const { port } = await testApp({ trustedProxies: ['127.0.0.1'] });
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    const own = [`Host: ${name}:${port}`, `Origin: http://${name}:${port}`];
    for (const fields of [
      own,
      [...own.slice(0, 1), 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'],
    ])
      expect(await callWith(port, 'GET /healthz', fields)).toMatch(/^HTTP\/1\.1 200 /);
    for (const second of [`127.0.0.1:${port}`, 'evil.example'])
      expect(await callWith(port, 'GET /healthz', [...own, `HOST: ${second}`])).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test('contract §8 problems: answers a problem to a request that is not HTTP or has too long a header', async () => {
  const { port } = await testApp();
  const garbled = await answerTo(port, [SECRET, '', '']);
  expect(garbled).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nCache-Control: no-store\r\n/);
  expect(garbled).toContain('urn:problem-type:hostauth:invalid-request');
  const long = await callWith(port, 'GET /me', [`Authorization: Bearer ${'x'.repeat(20_000)}`]);
  expect(long).toMatch(/^HTTP\/1\.1 431 /);
  expect(long).toContain('urn:problem-type:hostauth:headers-too-large');
});

test('contract §8 no-store: every answer has the security header fields', async () => {
  const { url } = await testApp();
  for (const path of ['/healthz', '/metrics', '/openapi.json', '/me', '/none']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});

test('contract §8 problems: answers 500 without details to an internal error, and logs it', async () => {
  const { url, log } = await testApp({
    makeHelper: (authenticator) => ({
      ...fakeHelper(authenticator),
      authenticate: () => Promise.reject(new Error('the cable is out')),
    }),
  });
  expect(await problemOf(await post(`${url}/auth`, RIGHT))).toBe('500 internal');
  expect(log).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'the cable is out' }) }),
  );
});

/** The shipped times, in hundredths. */
const SHORT = { headersMs: 50, requestMs: 100, checkMs: 2 };

test('gives header fields 5 s and a request 10 s, with TLS too', async () => {
  for (const tls of [null, { cert: Buffer.from(CERTIFICATE), key: Buffer.from(KEY) }]) {
    const fastify = Fastify(fastifyOptions({ tls }));
    await fastify.ready();
    expect(fastify.server).toMatchObject({ headersTimeout: 5000, requestTimeout: 10_000 });
  }
});

const HEAD = ['POST /auth HTTP/1.1', 'Host: 127.0.0.1:PORT', 'Content-Type: application/json'];

test.each([
  ['half of the header fields', HEAD.join('\r\n')],
  ['half of the body', [...HEAD, 'Content-Length: 9', '', '{"us'].join('\r\n')],
])('answers 408 and closes when %s arrives in time', async (_what, bytes) => {
  const { port, authenticator } = await testApp({ times: SHORT });
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes.replace('PORT', String(port)));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*hostauth:timeout/);
  expect(authenticator.asked).toEqual([]);
});

/** Signs in. Repeats a sign-in that arrives too late: a busy machine may need longer than the short times. */
async function signInInTime(client: Client, authenticator: ReturnType<typeof fakeAuthenticator>) {
  const arrived = authenticator.waitForSignIns(1).then(() => true);
  for (;;) {
    const answered = client.signIn({ username: 'ada', password: PASSWORD });
    if (await Promise.race([arrived, answered.catch(() => false)])) return { answered };
  }
}

test('answers a sign-in that waits for PAM longer than a request may take to arrive', async () => {
  const { client, port, authenticator } = await testApp({ times: SHORT });
  authenticator.hold();
  const { answered } = await signInInTime(client, authenticator);
  // By then the sign-in is older than both times: a request that came after it has been late.
  for (const _ of [1, 2, 3]) expect(await text(connect(port, '127.0.0.1'))).toContain('408');
  authenticator.release();
  expect(await answered).toMatchObject({ username: 'ada' });
});

const CALLS = {
  '/auth': { post: ['200', '400', '401', '403', '413', '415', '429', '503'] },
  '/me': { get: ['200', '401', '403', '503'] },
  '/logout': { post: ['204', '400', '401', '403', '413', '503'] },
  '/sessions': { get: ['200', '401', '403', '429', '503'], delete: ['204', '401', '403', '429', '503'] },
  '/sessions/{username}': { delete: ['204', '401', '403', '429', '503'] },
  '/users': { post: ['201', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503'] },
  '/healthz': { get: ['200', '403', '503'] },
  '/metrics': { get: ['200', '403', '503'] },
  '/openapi.json': { get: ['200', '403', '503'] },
};

/** What the test reads of an OpenAPI document. */
const documentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.looseObject({})) })),
  ),
});

test('contract §8 other calls: answers 200 to /healthz; the OpenAPI document describes every call', async () => {
  const { url } = await testApp();
  const health = await fetch(`${url}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  const document = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  const calls = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, { responses }]) => [method, Object.keys(responses).toSorted()]),
    ),
  ]);
  expect(Object.fromEntries(calls)).toEqual(CALLS);
  expect(document.paths['/auth']?.post?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: { required: ['username', 'password'], additionalProperties: false },
      },
    },
  });
  expect(document.paths['/auth']?.post?.responses['401']?.content).toHaveProperty('application/problem+json');
  expect(document.paths['/me']?.get?.security).toEqual([{ session: [] }]);
});

test('contract §8 other calls: the metrics count events and contain no names', async () => {
  const { url, client } = await testApp();
  const { token } = await client.signIn({ username: 'ada', password: PASSWORD });
  await client.signIn({ username: 'ada', password: WRONG }).catch(() => undefined);
  await client.me(token);
  await fetch(`${url}/ada`);
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const all = await response.text();
  for (const line of [
    'sessions 1',
    'session_slots 1024',
    'events_total{event="sign-in succeeded"} 1',
    'events_total{event="sign-in failed",reason="credentials"} 1',
    'http_request_seconds_count{method="GET",route="/me",status="200"} 1',
    'http_request_seconds_count{method="GET",route="none",status="404"} 1',
  ])
    expect(all).toContain(`\nhostauth_${line}\n`);
  expect(all).not.toContain('ada');
});

test('logs one line for a request, with its route and without the requested path', async () => {
  const { url, log } = await testApp();
  await fetch(`${url}/healthz?ada`);
  await fetch(`${url}/ada`);
  expect(log.filter(({ msg }) => msg === 'answered')).toMatchObject([
    { method: 'GET', route: '/healthz', status: 200, address: '127.0.0.1' },
    { method: 'GET', route: 'none', status: 404, address: '127.0.0.1' },
  ]);
  expect(JSON.stringify(log)).not.toContain('ada');
});
