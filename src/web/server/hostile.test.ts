import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { BRIDGE_PATH, type ToHost, bridgeProtocols, encodeWith } from '../bridge/bridge.ts';
import { cookieOf, start } from './testing/start.ts';
import { SECOND_INSTANCE_PATH, type Server, type ServerDeps } from './webServer.ts';

const openBridge = ({ access, port }: Server) =>
  new WebSocket(`ws://127.0.0.1:${port}${BRIDGE_PATH}?page=%2Fx`, bridgeProtocols(access.pageSecret), {
    headers: { cookie: access.cookie, origin: access.origin },
  });

it('a message that no page sends closes the connection, not the server, and is not passed on; the server stops also when a page does not respond', async () => {
  const messages = new EventEmitter();
  const onMessage = (message: ToHost) => void messages.emit('message', message);
  const first = once(messages, 'message');
  const left = once(messages, 'left');
  const connectPage: ServerDeps['connect'] = (page, path) => {
    const wasOpen = page.isOpen();
    return { onMessage, onClose: () => void messages.emit('left', path, wasOpen, page.isOpen()) };
  };
  const server = await start(0, { connect: connectPage });
  const socket = openBridge(server);
  socket.on('open', () => socket.send('["send","up",[[-7,4294967295,0,1],1]]'));
  expect([(await once(socket, 'close'))[0], await left]).toEqual([1007, ['/x', true, false]]);
  const next = openBridge(server);
  next.on('open', () => next.send(encodeWith(['send', 'c'], [1])));
  expect(await first).toEqual([['send', 'c', [1]]]);
  next.pause();
  expect(await server.stop()).toBeUndefined();
});

/** The header lines of a known browser. An empty line ends a request. */
const KNOWN = 'Host: HOST\r\nCookie: COOKIE\r\n';
const END = 'Connection: close\r\n\r\n';
const known = (first: string, more = '') => `${first}\r\n${KNOWN}${more}${END}`;
const upgrade = (path: string, to: string, more = 'X: a') =>
  `GET ${path} HTTP/1.1\r\n${KNOWN}Connection: Upgrade\r\nUpgrade: ${to}\r\n${more}\r\n\r\n`;
const PROTOCOL = 'Sec-WebSocket-Protocol: ';
const KEY = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const ORIGINS = 'Origin: http://HOST\r\nOrigin: http://HOST\r\n';
const OF_LOCK = 'Authorization: Bearer secret\r\nContent-Length: 0\r\n';
const handOver = (more: string) => known(`POST ${SECOND_INSTANCE_PATH} HTTP/1.1`, more + OF_LOCK);
const chunked = `Transfer-Encoding: chunked\r\n`;

const CASES: readonly (readonly [name: string, request: string, statuses: readonly number[]])[] = [
  ['HEAD', known('HEAD / HTTP/1.1'), [200]],
  ['CONNECT', known('CONNECT 127.0.0.1:22 HTTP/1.1'), []],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['an absolute target', known('GET http://HOST/ HTTP/1.1'), [400]],
  ['two slashes', known('GET //etc/passwd HTTP/1.1'), [200]],
  ['an encoded NUL', known('GET /index.html%00.js HTTP/1.1'), [404]],
  ['a broken encoding', known('GET /%E0%A4%A HTTP/1.1'), [400]],
  ['a path of 8,000 characters', known(`GET /${'a/'.repeat(4000)} HTTP/1.1`), [200, 404]],
  ['a header of 20 KB', known('GET / HTTP/1.1', `X: ${'a'.repeat(20_000)}\r\n`), [431]],
  ['a NUL in a value', known('GET / HTTP/1.1', 'X: a\0b\r\n'), [400]],
  ['the name __proto__', known('GET / HTTP/1.1', '__proto__: a\r\n'), [200]],
  ['an expectation', known('GET / HTTP/1.1', 'Expect: 200-maybe\r\n'), [417]],
  ['a length and chunks', known('POST /x HTTP/1.1', `Content-Length: 1\r\n${chunked}`), [400]],
  ['an upgrade to HTTP/2 at another path', upgrade('/', 'h2c'), [400]],
  ['an upgrade to a WebSocket at another path', upgrade('/', 'websocket'), [400]],
  ['the bridge with the secret, but no key', upgrade(BRIDGE_PATH, 'websocket', `${PROTOCOL}SECRET`), [400]],
  ['broken protocols', upgrade(BRIDGE_PATH, 'websocket', `${KEY}${PROTOCOL},,SECRET,@`), [400]],
  ['the bridge without an upgrade', known(`GET ${BRIDGE_PATH} HTTP/1.1`), [404]],
  ['HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n', [403]],
  ['no Host', `GET / HTTP/1.1\r\n${END}`, [400, 403]],
  ['two Hosts', known('GET / HTTP/1.1', 'hOST: HOST\r\n'), [400]],
  ['two Hosts of the bridge', upgrade(BRIDGE_PATH, 'websocket', `${PROTOCOL}x, SECRET\r\nhOST: HOST`), [400]],
  ['two Hosts of a hand-over', handOver('hOST: HOST\r\n'), [400]],
  ['two Origins', known('GET / HTTP/1.1', ORIGINS), [403]],
  ['two Origins of the bridge', upgrade(BRIDGE_PATH, 'websocket', `${ORIGINS}${PROTOCOL}x, SECRET`), [403]],
  ['two Origins of a hand-over', handOver(ORIGINS), [403]],
  ['the start of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', [400]],
];

/** Sends these bytes; resolves with everything that the server sends until it closes the connection. */
async function answerTo(server: Server, request: string, isKnown = true): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const bytes = request
    .replaceAll('HOST', `127.0.0.1:${server.port}`)
    .replaceAll('COOKIE', isKnown ? cookieOf(server) : 'none=1')
    .replaceAll('SECRET', isKnown ? server.access.pageSecret : 'none');
  socket.end(Buffer.from(bytes, 'latin1'));
  return text(socket).catch(() => '');
}

const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));

it('answers hostile requests with their status or a closed connection, never with 5xx, and without the cookie with 4xx only', async () => {
  const server = await start();
  const wrong: unknown[] = [];
  for (const [what, request, allowed] of CASES) {
    const [status, ...more] = statusesIn(await answerTo(server, request));
    if (status === undefined ? allowed.length > 0 : !allowed.includes(status)) wrong.push([what, status]);
    if (more.length > 0) wrong.push([what, status, ...more]);
    const [refusal = 400] = statusesIn(await answerTo(server, request, false));
    if (refusal < 400 || refusal >= 500) wrong.push([what, 'without the cookie', refusal]);
  }
  expect(wrong).toEqual([]);
});
