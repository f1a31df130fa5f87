import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http, { type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { LOCK_FILE } from '#node/claimDataFolder.ts';
import { FolderLock } from '#node/folderLock.ts';
import { openRawConnection } from '#tests/builders/openRawConnection.ts';
import { BRIDGE_PATH, bridgeProtocols } from '../bridge/bridge.ts';
import { reachHost } from '../page/hostConnection.ts';
import { handOver, Instance } from './instance.ts';
import { createResume } from './resume.ts';
import { SERVER, cookieOf, start } from './testing/start.ts';
import { PAGE_BUFFER_BYTES, sendWithinBuffer, type HandOverAnswer, type Server } from './webServer.ts';

/** Sends a request with node:http, because fetch sets Host and Origin itself. */
async function ask({ port }: Server, { body, ...options }: RequestOptions & { readonly body?: string }) {
  const sent = request({ host: '127.0.0.1', port, ...options }).end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  const text = response && (await textOf(response));
  return { status: response?.statusCode, headers: response?.headers ?? {}, text };
}

const invited = (server: Server) => {
  const { pathname, search } = new URL(server.access.invitation());
  return pathname + search;
};
/** Requests an upgrade of the bridge; resolves with `open`, or with the status of the refusal and its `Connection` header. */
async function upgrade(
  server: Server,
  headers: Record<string, string>,
  secret: string | null = server.access.pageSecret,
): Promise<string> {
  const address = `ws://127.0.0.1:${server.port}${BRIDGE_PATH}`;
  // A browser adds a space after each comma.
  const finishRequest = (sent: ClientRequest) =>
    sent.setHeader('Sec-WebSocket-Protocol', bridgeProtocols(secret).join(', ')).end();
  const socket = new WebSocket(address, bridgeProtocols(secret), { headers, finishRequest });
  return new Promise((resolve) => {
    socket.on('open', () => resolve('open'));
    socket.on('error', () => {});
    socket.on('unexpected-response', (_request, response) =>
      resolve(`${response.statusCode}, ${response.headers.connection}`),
    );
  });
}

it('contract §2 token: a token returns the page and a cookie named after the port at its first use, and is refused after it, with a text that says what to do; also to a browser that has the cookie, which is enough without a valid token, and only to one GET request of the page', async () => {
  const server = await start(0, { permissionsPolicy: () => '' });
  const path = invited(server);
  const answer = await ask(server, { path });
  expect([answer.status, answer.text]).toEqual([200, `the page ${server.access.pageSecret}`]);
  expect(answer.headers).not.toHaveProperty('permissions-policy');
  const attributes = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=34560000';
  const cookie = new RegExp(`^parley-${server.port}=[\\w-]{43}; ${attributes}$`);
  expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(cookie)]);
  const again = await ask(server, { path });
  expect([again.status, again.text]).toEqual([403, expect.stringContaining('npm start')]);
  const [next, headers] = [invited(server), { cookie: cookieOf(server) }];
  // On another path, and by a request that a preview may send, it is refused and stays valid.
  expect((await ask(server, { path: next.replace('/', '/page.js') })).status).toBe(403);
  expect((await ask(server, { path: next, method: 'HEAD' })).status).toBe(403);
  expect((await ask(server, { path: next, headers })).text).toContain(server.access.pageSecret);
  const known = await ask(server, { path: next, headers });
  expect([known.status, known.text, known.headers['set-cookie']]).toEqual([200, 'the page ', undefined]);
});

it('contract §2 foreign requests: a request is accepted with the cookie and this origin; an upgrade needs the secret too', async () => {
  const server = await start();
  const other = await start();
  const headers = { cookie: cookieOf(server), origin: server.access.origin };
  expect([(await ask(server, { headers })).status, await upgrade(server, headers)]).toEqual([200, 'open']);
  for (const secret of [null, 'wrong', other.access.pageSecret, cookieOf(server).split('=')[1] ?? ''])
    expect(await upgrade(server, headers, secret)).toBe('403, close');
});

const JSON_TYPE = { 'content-type': 'application/json' };
const HAND_OVER = { path: '/-/second-instance', method: 'POST' };
const START = '{"argv":[],"workingDirectory":"/"}';
const RESUME = { path: '/-/resume', method: 'POST', headers: JSON_TYPE };
const OF_LOCK = { authorization: 'Bearer secret', ...JSON_TYPE };
const FORM = { ...OF_LOCK, 'content-type': 'application/x-www-form-urlencoded' };
const EVIL = { origin: 'https://parley.example' };

const COOKIES = { ours: cookieOf, wrong: ({ port }: Server) => `parley-${port}=wrong` };
const random = (bytes: number) => Buffer.alloc(bytes);
type Request = Parameters<typeof ask>[1] & { readonly cookie?: keyof typeof COOKIES };

/** Requests by what they are. Those of the page are also upgrades. */
const REQUESTS: Readonly<Record<string, Request>> = {
  'the page': { cookie: 'ours' },
  'a file of the build': { cookie: 'ours', path: '/assets/index-a1b2.js?x' },
  'a file that is missing': { cookie: 'ours', path: '/assets/missing.js' },
  'another file': { cookie: 'ours', path: '/index.html' },
  'a path that leaves the host': { cookie: 'ours', path: '/../index.html' },
  'the preload': { cookie: 'ours', path: '/-/preload.js' },
  'a page that is not known': {},
  'a page with a wrong cookie': { cookie: 'wrong' },
  'a page for another host': { cookie: 'ours', headers: { host: 'parley.example' } },
  'a page of another site': { cookie: 'ours', headers: EVIL },
  'a page of another port': { cookie: 'ours', headers: { origin: 'http://127.0.0.1:1' } },
  'a change of the page': { cookie: 'ours', method: 'PUT' },
  'a hand-over': { ...HAND_OVER, headers: OF_LOCK, body: START },
  'a hand-over that fails': { ...HAND_OVER, headers: OF_LOCK, body: START.replace('[]', '["--fail"]') },
  'a hand-over with a wrong secret': { ...HAND_OVER, headers: { authorization: 'Bearer no' }, body: START },
  'a hand-over from a web page': { ...HAND_OVER, headers: { ...OF_LOCK, ...EVIL }, body: START },
  'a hand-over without a start': { ...HAND_OVER, headers: OF_LOCK, body: '{}' },
  'a hand-over with invalid JSON': { ...HAND_OVER, headers: OF_LOCK, body: '{' },
  'a hand-over of another type': { ...HAND_OVER, headers: FORM, body: 'argv=x' },
  'a hand-over of a megabyte': { ...HAND_OVER, headers: OF_LOCK, body: `"${'x'.repeat(1_000_000)}"` },
  'a page that asks for proofs': { ...RESUME, body: '{"nonce":"a"}' },
  'a page with a wrong proof': { ...RESUME, body: '{"nonce":"a","proof":"b"}' },
  'a page without a nonce': { ...RESUME, body: '{"proof":"b"}' },
  'a page with invalid JSON': { ...RESUME, body: '{' },
  'a page of another site with a nonce': { ...RESUME, headers: { ...JSON_TYPE, ...EVIL }, body: '{}' },
};

it('contract §2 foreign requests: answers each kind of request with its status, headers and text: only existing files whose names contain a hash are stored, and the page’s policies are main’s', async () => {
  const preload = join(folderForTest(), 'preload.js');
  writeFileSync(preload, 'the preload');
  const server = await start(0, { preload: () => preload, random, resume: createResume(null, random) });
  const answers: [what: string, fields: string[], text: string][] = [];
  for (const [what, { cookie, headers: given, ...asked }] of Object.entries(REQUESTS)) {
    const headers = { ...Object(given), ...(cookie && { cookie: COOKIES[cookie](server) }) };
    const answer = await ask(server, { ...asked, headers });
    const fields = Object.entries(answer.headers).map(([name, value]) => `  ${name}: ${String(value)}`);
    const told = fields.filter((field) => !/^  (?:date|connection|keep-alive|content-length):/u.test(field));
    if (Object.keys(asked).length === 0) told.push(`  upgrade: ${await upgrade(server, headers)}`);
    answers.push([`${what}: ${answer.status}`, told.sort(), `  ${JSON.stringify(answer.text)}`]);
  }
  const isInEach = (field: string) => answers.every(([, fields]) => fields.includes(field));
  const common = answers[0]?.[1].filter(isInEach) ?? [];
  const isOwn = (field: string) => !isInEach(field);
  const own = answers.flatMap(([what, fields, said]) => [what].concat(fields.filter(isOwn), said));
  const lines = ['each of them', ...common, ...own].join('\n');
  const text = lines.replaceAll(String(server.port), 'PORT').replaceAll(/[\da-f]{64}/gu, 'PROOF');
  await expect(`${text}\n`).toMatchFileSnapshot('testing/answers.txt');
});

it('a connection is closed after 10 s of header fields that do not end, after 5 s without a further request, and after 10 s with refused requests only; stays open after an accepted one', async () => {
  const created = vi.spyOn(http, 'createServer');
  onTestFinished(() => created.mockRestore());
  const server = await start();
  const times = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5000 };
  expect(created.mock.results[0]?.value).toMatchObject(times);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const known = openRawConnection(server.port, { Cookie: cookieOf(server) });
  const unknownClient = openRawConnection(server.port, {});
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'answered']);
  vi.advanceTimersByTime(10_000);
  expect([await known.ask(), await unknownClient.ask()]).toEqual(['answered', 'closed']);
});

it('contract §2 port: the port is 4310 or the next free one without a setting, and causes an error that names the setting when the configured one is taken', async () => {
  const [one, next] = [await start(null), await start(null)];
  expect(one.port).toBeGreaterThanOrEqual(4310);
  expect(next.port).toBeGreaterThan(one.port);
  const message = expect.stringContaining(`PARLEY_PORT: port ${one.port} is in use`);
  await expect(start(one.port)).rejects.toMatchObject({ message, exitStatus: 2 });
});

const MB = 1024 * 1024;

/** The socket of a page, which reads when the test says so; the frames that wait count as buffered. */
class PageSocket {
  bufferedAmount = 0;
  isOpen = true;
  send = (frame: string) => void (this.bufferedAmount += frame.length);
  terminate = () => void (this.isOpen = false);
  read = () => void (this.bufferedAmount = 0);
}

/** Sends frames of a length while the connection is open; returns how many were accepted. */
function fill(socket: PageSocket, send: (frame: string) => void, length: number): number {
  let accepted = 0;
  for (; socket.isOpen && accepted < 200; accepted++) send('x'.repeat(length));
  return accepted - 1;
}

it('closes the connection of a page that does not read, while few bytes wait, but sends it a frame of any size, and frames after it, and has the same limit when it has read them', () => {
  const other = new PageSocket();
  expect(fill(other, sendWithinBuffer(other), MB)).toBe(PAGE_BUFFER_BYTES / MB + 2);
  expect(other.bufferedAmount).toBe(PAGE_BUFFER_BYTES + 2 * MB);
  const socket = new PageSocket();
  const send = sendWithinBuffer(socket);
  send('a');
  send('x'.repeat(3 * PAGE_BUFFER_BYTES));
  for (let count = 0; count < 50; count++) send('b');
  expect([socket.isOpen, socket.bufferedAmount]).toEqual([true, 3 * PAGE_BUFFER_BYTES + 51]);
  socket.read();
  expect(fill(socket, send, MB)).toBe(PAGE_BUFFER_BYTES / MB + 2);
});

function folderForTest() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('prints its address and opens a browser with a page of the data folder, passes no token as an argument, gives a second process such a page while no page is connected, ends when its port is taken, and removes its pages, and that of a killed program', async () => {
  const folder = folderForTest();
  writeFileSync(join(folder, `open-${'x'.repeat(22)}.html`), 'of a program that was killed');
  const now = { port: 0, open: true, pages: 0 };
  const said: unknown[] = [];
  const say = (what: unknown) => void said.push(what);
  const heard = { print: say, complain: say, openBrowser: say, secondInstance: say, giveUp: say };
  const parts = { serverDeps: SERVER, settings: () => now, pages: () => now.pages, pause: async () => {} };
  const instance = new Instance({ ...parts, ...heard });
  onTestFinished(async () => void (await instance.stop(0)));
  instance.takeLock(folder);
  const pages = () => readdirSync(folder).filter((name) => name.endsWith('.html'));
  const second = { argv: [], workingDirectory: '/' };
  const handOverTo = (pause: () => Promise<void>) => handOver(join(folder, LOCK_FILE), second, pause);
  // The second process waits until the first one listens, for 5 s.
  const wait = vi.fn<(ms?: number) => Promise<void>>(async () => {});
  await expect(handOverTo(wait)).rejects.toThrow('Another Parley was starting but is not ready yet');
  expect(wait.mock.calls).toEqual(Array.from({ length: 100 }, () => [50]));
  const { open, ready }: HandOverAnswer = await handOverTo(() => instance.serve());
  const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  const line = expect.stringContaining('Parley is ready at http://127.0.0.1:');
  const [printed, opened, heardOf] = said.splice(0);
  expect([ready, printed, heardOf]).toEqual([address, line, second]);
  const addresses = pages().map((name) => pathToFileURL(join(folder, name)).href);
  expect(addresses.sort()).toEqual([String(opened), String(open)].sort());
  Object.assign(now, { pages: 1, port: Number(new URL(ready).port) });
  expect(await handOverTo(expect.unreachable)).toMatchObject({ open: null });
  const other = FolderLock.take(join(folderForTest(), LOCK_FILE), { secret: 'other', program: 'web' });
  if (other instanceof FolderLock) other.publish(now.port);
  const unanswered = `Another Parley runs but does not answer. Stop it, or remove ${other.file} if none runs`;
  await expect(handOver(other.file, second, wait)).rejects.toThrow(unanswered);
  await new Instance({ ...parts, ...heard }).serve();
  expect(said.splice(0)).toEqual([second, expect.stringContaining(`port ${now.port} is in use`), 2]);
  // The second process serves nothing.
  const later = new Instance({ ...parts, ...heard });
  const held = { file: join(folder, LOCK_FILE), holder: Object(null) };
  const take = vi.spyOn(FolderLock, 'take').mockReturnValue(held);
  expect(later.takeLock(folder)).toBe(false);
  take.mockRestore();
  await later.serve();
  now.pages = 0;
  const own = { argv: process.argv, workingDirectory: process.cwd() };
  expect([await later.stop(3), said.splice(0)]).toEqual([3, [own, line, expect.stringMatching(/^file:/)]]);
  now.open = false;
  expect([await later.stop(0), said.splice(0)]).toEqual([0, [own, line]]);
  await instance.stop(0);
  expect(pages()).toEqual([]);
  // The first process has ended meanwhile: nothing is waited for.
  await expect(handOverTo(expect.unreachable)).rejects.toThrow('start Parley again');
  expect([await later.stop(0), said]).toEqual([1, [expect.stringContaining('start Parley again')]]);
});

/** Starts a host; returns it with the key that its pages get. */
async function startHost(folder: string | null) {
  const resume = createResume(folder, randomBytes);
  return { server: await start(0, { resume }), key: resume.key };
}

/** Looks for the host as a page does; `port` is the one in the page's address. */
async function reach({ access, port: serverPort }: Server, key: string | null, port = serverPort) {
  const secrets: string[] = [];
  const cookies: (string | null)[] = [];
  const found = await reachHost(key, {
    port,
    async post(path, body) {
      const headers = { 'content-type': 'application/json', origin: access.origin };
      const response = await fetch(access.origin + path, { method: 'POST', headers, body });
      cookies.push(response.headers.get('set-cookie'));
      return response;
    },
    keepPageSecret: (secret) => void secrets.push(secret),
  });
  return { found, secrets, cookie: cookies.at(-1), requests: cookies.length };
}

it('contract §2 started again: signs in a page of this run and of earlier runs of the same data folder, and does not know one of another data folder, of a long time ago, of another port, or without a key', async () => {
  const folder = folderForTest();
  const [first, second, third] = [await startHost(folder), await startHost(folder), await startHost(folder)];
  const { pageSecret, cookie } = third.server.access;
  for (const { key } of [first, second, third])
    expect(await reach(third.server, key)).toMatchObject({ found: 'ready', secrets: [pageSecret], cookie });
  for (let starts = 0; starts < 4; starts++) createResume(folder, randomBytes);
  const { server } = await startHost(folder);
  const { key: other } = await startHost(folderForTest());
  const { key: none } = await startHost(null);
  for (const key of [third.key, other, none, null])
    expect(await reach(server, key)).toEqual({ found: 'unknown', secrets: [], cookie: null, requests: 1 });
  // A server of another port cannot pass the key on.
  const { server: own, key } = await startHost(folderForTest());
  expect(await reach(own, key, own.port + 1)).toMatchObject({ found: 'unknown', requests: 1 });
});

it('a page gives nothing to a server that does not prove that it is the host, and finds that the host has stopped when none answers', async () => {
  const sent: string[] = [];
  const options = { port: 4310, keepPageSecret: expect.unreachable };
  const found = await reachHost('key', {
    ...options,
    async post(_, body) {
      sent.push(body);
      return Response.json({ challenge: 'c', proofs: ['guessed'], pageSecret: 's' });
    },
  });
  expect([found, sent]).toEqual(['unknown', [expect.stringMatching(/^\{"nonce":"[0-9a-f]{64}"\}$/)]]);
  const stopped = { ...options, post: () => Promise.reject(new TypeError('Failed to fetch')) };
  expect(await reachHost('key', stopped)).toBe('stopped');
  const other = { ...options, post: async () => new Response('<h1>It works!</h1>') };
  expect(await reachHost('key', other)).toBe('unknown');
});

it('contract §2 data folder: keeps a few keys with mode 0600, and a new one for each run', () => {
  const folder = folderForTest();
  const keys = Array.from({ length: 9 }, () => createResume(folder, randomBytes).key);
  const file = join(folder, 'web-host.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const stored = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
  expect(stored()).toEqual({ keys: keys.slice(-4).toReversed() });
  // A file that cannot be used, and a folder in which none can be written.
  writeFileSync(file, '{"keys":["x"]}');
  expect({ keys: [createResume(folder, randomBytes).key] }).toEqual(stored());
  expect(createResume(join(folder, 'none'), randomBytes).key).toHaveLength(43);
});
