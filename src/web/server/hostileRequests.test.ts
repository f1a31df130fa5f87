import { SECOND_INSTANCE_PATH } from './webServer.ts';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BRIDGE_PATH } from '../bridge/bridge.ts';
import { type KnownBrowser, startTestHost } from '../testing/startTestHost.ts';

/** Tests requests that no browser sends: the host answers with a status or closes the connection, and never fails. */

type Case = readonly [name: string, request: string, statuses: readonly number[]];

/** The header lines of a known browser. An empty line ends a request. */
const KNOWN = 'Host: HOST\r\nCookie: COOKIE\r\n';
const END = 'Connection: close\r\n\r\n';
const known = (first: string, more = '') => `${first}\r\n${KNOWN}${more}${END}`;
const json = 'Content-Type: application/json\r\n';
const chunked = `Transfer-Encoding: chunked\r\n`;

const CASES: readonly Case[] = [
  // Methods.
  ['HEAD', known('HEAD / HTTP/1.1'), [200]],
  ...['POST', 'OPTIONS'].map((method): Case => [method, known(`${method} / HTTP/1.1`), [405]]),
  ['CONNECT', known('CONNECT 127.0.0.1:22 HTTP/1.1'), []],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  // Targets.
  ['an absolute target', known('GET http://HOST/ HTTP/1.1'), [400]],
  ['two slashes', known('GET //etc/passwd HTTP/1.1'), [200]],
  ['dots', known('GET /../../etc/passwd HTTP/1.1'), [404]],
  ['an encoded NUL', known('GET /index.html%00.js HTTP/1.1'), [404]],
  ['a broken encoding', known('GET /%E0%A4%A HTTP/1.1'), [400]],
  ['a path of 8,000 characters', known(`GET /${'a/'.repeat(4000)} HTTP/1.1`), [200, 404]],
  // Header fields.
  ['a header of 20 KB', known('GET / HTTP/1.1', `X: ${'a'.repeat(20_000)}\r\n`), [431]],
  ['a name with a space', known('GET / HTTP/1.1', 'X y: a\r\n'), [400]],
  ['a NUL in a value', known('GET / HTTP/1.1', 'X: a\0b\r\n'), [400]],
  ['the name __proto__', known('GET / HTTP/1.1', '__proto__: a\r\n'), [200]],
  ['an expectation', known('GET / HTTP/1.1', 'Expect: 200-maybe\r\n'), [417]],
  // Bodies.
  ['a length and chunks', known('POST /x HTTP/1.1', `Content-Length: 1\r\n${chunked}`), [400]],
  ['two lengths', known('GET / HTTP/1.1', 'Content-Length: 0\r\nContent-Length: 1\r\n'), [400]],
  // Upgrades.
  ...['h2c', 'websocket'].map((name): Case => [
    `an upgrade to "${name}" at another path`,
    `GET / HTTP/1.1\r\n${KNOWN}Connection: Upgrade\r\nUpgrade: ${name}\r\n\r\n`,
    [400],
  ]),
  [
    'the bridge with the secret, but no key',
    `GET ${BRIDGE_PATH} HTTP/1.1\r\n${KNOWN}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: SECRET\r\n\r\n`,
    [400],
  ],
  [
    'the bridge with the secret among broken protocols',
    `GET ${BRIDGE_PATH} HTTP/1.1\r\n${KNOWN}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ,,SECRET,@\r\n\r\n`,
    [400],
  ],
  ['the bridge without an upgrade', known(`GET ${BRIDGE_PATH} HTTP/1.1`), [404]],
  // A hand-over without the lock's secret.
  ['a hand-over', known(`POST ${SECOND_INSTANCE_PATH} HTTP/1.1`, json), [403]],
  [
    'a hand-over whose body is too long',
    known(`POST ${SECOND_INSTANCE_PATH} HTTP/1.1`, 'Content-Length: 99999999\r\n'),
    [403],
  ],
  // Invalid HTTP.
  ['HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n', [403]],
  ['no Host', `GET / HTTP/1.1\r\n${END}`, [400, 403]],
  ['the start of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', [400]],
  ['half a request', 'GET / HTT', [400]],
];

/** Sends these bytes; resolves with everything that the host sends until it closes the connection. */
async function answerTo({ origin, cookie, pageSecret }: KnownBrowser, request: string): Promise<string> {
  const { host, port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1');
  const bytes = request
    .replaceAll('HOST', host)
    .replaceAll('COOKIE', cookie)
    .replaceAll('SECRET', pageSecret);
  socket.end(Buffer.from(bytes, 'latin1'));
  return text(socket).catch(() => '');
}

const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));

it('answers hostile requests with their status or a closed connection, never with 5xx', async () => {
  const { browser } = await startTestHost();
  const wrong: unknown[] = [];
  for (const [what, request, allowed] of CASES) {
    const [status, ...more] = statusesIn(await answerTo(browser, request));
    if (status === undefined ? allowed.length > 0 : !allowed.includes(status)) wrong.push([what, status]);
    if (more.length > 0) wrong.push([what, status, ...more]);
  }
  expect(wrong).toEqual([]);
});

it('answers hostile requests without the cookie with 4xx only', async () => {
  const { browser } = await startTestHost();
  const unknownClient = { ...browser, cookie: 'none=1', pageSecret: 'none' };
  for (const [what, request] of CASES) {
    const [status = 400] = statusesIn(await answerTo(unknownClient, request));
    expect([what, status >= 400 && status < 500]).toEqual([what, true]);
  }
});
