import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, KEY } from '../testing/certificate.ts';
import type { Client } from '../api/client.ts';
import { type FakeAuthenticator, PASSWORD } from '../testing/fakeHelper.ts';
import { testApp } from '../testing/testApp.ts';
import { fastifyOptions } from './fastifyOptions.ts';

/** The shipped times, in hundredths. */
const SHORT = { headersMs: 50, requestMs: 100, checkMs: 2 };

/** The limits of a server for slow requests. */
async function timesOf(tls: { cert: Buffer; key: Buffer } | null) {
  const fastify = Fastify(fastifyOptions({ logger: pino({ level: 'silent' }), tls }));
  await fastify.ready();
  const { headersTimeout, requestTimeout } = fastify.server;
  return { headersTimeout, requestTimeout };
}

test('gives header fields 5 s and a request 10 s, with TLS too', async () => {
  const expected = { headersTimeout: 5000, requestTimeout: 10_000 };
  expect(await timesOf(null)).toEqual(expected);
  expect(await timesOf({ cert: Buffer.from(CERTIFICATE), key: Buffer.from(KEY) })).toEqual(expected);
});

test('closes a connection that does not begin the TLS handshake in time', async () => {
  const tls = { cert: Buffer.from(CERTIFICATE), key: Buffer.from(KEY) };
  const fastify = Fastify(fastifyOptions({ logger: pino({ level: 'silent' }), tls, times: SHORT }));
  const url = await fastify.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => fastify.close());
  expect(await text(connect(Number(new URL(url).port), '127.0.0.1'))).toBe('');
});

const HEAD = ['POST /auth HTTP/1.1', 'Host: 127.0.0.1:PORT', 'Content-Type: application/json'];

test.each([
  ['no byte', ''],
  ['half of the header fields', HEAD.join('\r\n')],
  ['half of the body', [...HEAD, 'Content-Length: 9', '', '{"us'].join('\r\n')],
  ['half of a body in chunks', [...HEAD, 'Transfer-Encoding: chunked', '', '4', '{"us', ''].join('\r\n')],
])('answers 408 and closes when %s arrives in time', async (_what, bytes) => {
  const { port, authenticator } = await testApp({ times: SHORT });
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes.replace('PORT', String(port)));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*hostauth:timeout/);
  expect(authenticator.asked).toEqual([]);
});

test('answers 408 when a request keeps arriving, one byte after the other', async () => {
  const { port } = await testApp({ times: SHORT });
  const socket = connect(port, '127.0.0.1');
  socket.write([...HEAD, 'Content-Length: 4000', '', ''].join('\r\n').replace('PORT', String(port)));
  const drip = setInterval(() => socket.write('x'), 5);
  onTestFinished(() => clearInterval(drip));
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  // A byte that arrives after the answer resets the connection.
  await new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
});

/** Signs in. Repeats a sign-in that arrives too late: a busy machine may need longer than the short times. */
async function signInInTime(client: Client, authenticator: FakeAuthenticator) {
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
