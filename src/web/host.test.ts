import { once, EventEmitter } from 'node:events';
import { expect, it, vi, onTestFinished } from 'vitest';
import { BRIDGE_PATH, bridgeProtocols, encodeWith, readFromHost } from './bridge/bridge.ts';
import { SECOND_INSTANCE_PATH } from './server/webServer.ts';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createHost } from './host.ts';

const APP_URL = 'app://fixture/index.html';

interface KnownBrowser {
  readonly origin: string;
  readonly cookie: string;
  readonly pageSecret: string;
}

/** Starts a host in the test's process, on any free port, with one window, as after the start of main, and a browser that has used its token. */
async function start() {
  const effects = new EventEmitter();
  const [printed, exited] = [once(effects, 'line'), once(effects, 'exit')];
  const host = createHost({
    settings: () => ({ port: 0, open: false }),
    random: randomBytes,
    print: (line) => void effects.emit('line', line),
    complain: (line) => void effects.emit('line', line),
    openBrowser: () => {},
    openUrl: async () => {},
    exit: (code) => void effects.emit('exit', code),
    onSignal: () => {},
    pause,
    now: Date.now,
    cpuTime: () => 0,
    every: () => {},
  });
  onTestFinished(async () => {
    host.app.exit();
    await exited;
  });
  const headers = { 'content-type': 'text/html' };
  host.protocol.handle('app', () => new Response('<script></script>', { headers }));
  await host.app.whenReady();
  const window = new host.BrowserWindow({ title: 'First' });
  await window.loadURL(APP_URL);
  const browser = await enter(String(await printed));
  return { host, window, browser, ended: exited.then(([code]) => Number(code)) };
}

/** Uses the token of the ready line; returns what the browser receives. */
async function enter(line: string): Promise<KnownBrowser> {
  const address = line.split(' ').at(-1) ?? '';
  const response = await fetch(address);
  return {
    origin: new URL(address).origin,
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    pageSecret: / content="(.*?)"/.exec(await response.text())?.[1] ?? '',
  };
}

const openBridge = ({ origin, cookie, pageSecret }: KnownBrowser): WebSocket =>
  new WebSocket(`${origin.replace('http', 'ws')}${BRIDGE_PATH}?page=%2F`, bridgeProtocols(pageSecret), {
    origin,
    headers: { cookie },
  });

it('messages close the connection, not the host, when no page sends them', async () => {
  const { host, browser } = await start();
  const received = vi.fn<() => void>();
  host.ipcMain.on('up', received);
  host.ipcMain.handle('echo', (_event, value) => value);
  const socket = openBridge(browser);
  socket.on('open', () => socket.send('["send","up",[[-7,4294967295,0,1],1]]'));
  expect(await new Promise((resolve) => void socket.on('close', resolve))).toBe(1007);
  const page = openBridge(browser);
  page.on('open', () => page.send(encodeWith(['invoke', 1, 'echo'], [1])));
  const answered = new Promise((resolve) => {
    page.on('message', (data: Buffer) => String(data).includes('answer') && resolve(String(data)));
  });
  expect(readFromHost(String(await answered))).toEqual(['answer', 1, 1]);
  expect(received).not.toHaveBeenCalled();
});

it('quit follows the close of the last window, also when a page does not respond, after one pause of at most two seconds', async () => {
  const { browser, window, ended } = await start();
  const socket = openBridge(browser);
  await once(socket, 'open');
  socket.pause();
  window.close();
  expect(await ended).toBe(0);
});

type HostileCase = readonly [name: string, request: string, statuses: readonly number[]];

/** The header lines of a known browser. An empty line ends a request. */
const KNOWN = 'Host: HOST\r\nCookie: COOKIE\r\n';
const END = 'Connection: close\r\n\r\n';
const known = (first: string, more = '') => `${first}\r\n${KNOWN}${more}${END}`;
const upgrade = (path: string, to: string, more = 'X: a') =>
  `GET ${path} HTTP/1.1\r\n${KNOWN}Connection: Upgrade\r\nUpgrade: ${to}\r\n${more}\r\n\r\n`;
const PROTOCOL = 'Sec-WebSocket-Protocol: ';
const KEY = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const chunked = `Transfer-Encoding: chunked\r\n`;

const CASES: readonly HostileCase[] = [
  ['HEAD', known('HEAD / HTTP/1.1'), [200]],
  ['POST', known('POST / HTTP/1.1'), [405]],
  ['CONNECT', known('CONNECT 127.0.0.1:22 HTTP/1.1'), []],
  ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['an absolute target', known('GET http://HOST/ HTTP/1.1'), [400]],
  ['two slashes', known('GET //etc/passwd HTTP/1.1'), [200]],
  ['dots', known('GET /../../etc/passwd HTTP/1.1'), [404]],
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
  ['a hand-over', known(`POST ${SECOND_INSTANCE_PATH} HTTP/1.1`, 'Content-Length: 99999999\r\n'), [403]],
  ['HTTP/1.0 without a Host', 'GET / HTTP/1.0\r\n\r\n', [403]],
  ['no Host', `GET / HTTP/1.1\r\n${END}`, [400, 403]],
  ['the start of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', [400]],
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

it('answers hostile requests with their status or a closed connection, never with 5xx, and without the cookie with 4xx only', async () => {
  const { browser } = await start();
  const unknownClient = { ...browser, cookie: 'none=1', pageSecret: 'none' };
  const wrong: unknown[] = [];
  for (const [what, request, allowed] of CASES) {
    const [status, ...more] = statusesIn(await answerTo(browser, request));
    if (status === undefined ? allowed.length > 0 : !allowed.includes(status)) wrong.push([what, status]);
    if (more.length > 0) wrong.push([what, status, ...more]);
    const [refusal = 400] = statusesIn(await answerTo(unknownClient, request));
    if (refusal < 400 || refusal >= 500) wrong.push([what, 'without the cookie', refusal]);
  }
  expect(wrong).toEqual([]);
});
