import { expect, onTestFinished, test, vi } from 'vitest';
import {
  PAGE_BUFFER_BYTES,
  sendWithinBuffer,
  type HandOverAnswer,
  type Server,
  startServer,
} from './webServer.ts';
import { mkdtempSync, readdirSync, rmSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver, Instance } from './instance.ts';
import { randomBytes } from 'node:crypto';
import { LOCK_FILE } from '#node/claimDataFolder.ts';
import { reachHost } from '../page/hostConnection.ts';
import { createResume } from './resume.ts';

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
  const frame = 'x'.repeat(length);
  let accepted = 0;
  for (; socket.isOpen && accepted < 200; accepted++) send(frame);
  return accepted - 1;
}

test('closes the connection of a page that does not read, while few bytes wait', () => {
  const socket = new PageSocket();
  expect(fill(socket, sendWithinBuffer(socket), MB)).toBe(PAGE_BUFFER_BYTES / MB + 2);
  expect(socket.bufferedAmount).toBe(PAGE_BUFFER_BYTES + 2 * MB);
});

test('sends a frame of any size, and frames after it, to a page that has not read it yet', () => {
  const socket = new PageSocket();
  const send = sendWithinBuffer(socket);
  send('a');
  send('x'.repeat(3 * PAGE_BUFFER_BYTES));
  for (let count = 0; count < 50; count++) send('b');
  expect([socket.isOpen, socket.bufferedAmount]).toEqual([true, 3 * PAGE_BUFFER_BYTES + 51]);
});

test('has the same limit again after a page has read a large frame', () => {
  const socket = new PageSocket();
  const send = sendWithinBuffer(socket);
  send('a');
  send('x'.repeat(3 * PAGE_BUFFER_BYTES));
  socket.read();
  expect(fill(socket, send, MB)).toBe(PAGE_BUFFER_BYTES / MB + 2);
});

const SERVER = {
  random: randomBytes,
  connect: () => ({ onMessage: () => {}, onClose: () => {} }),
  answer: async () => new Response('the page'),
  preload: () => undefined,
  permissionsPolicy: () => '',
};

const LEFT = `open-${'x'.repeat(22)}.html`;

/** Starts the first process; returns it with the addresses that it opens in a browser. */
async function startInstance() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-instance-'));
  writeFileSync(join(folder, LEFT), 'of a program that was killed');
  const opened: string[] = [];
  const printed: string[] = [];
  const instance = new Instance({
    serverDeps: SERVER,
    settings: () => ({ port: 0, open: true }),
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
    openBrowser: (url) => opened.push(url),
    secondInstance: () => {},
    pages: () => 0,
    giveUp: () => {},
    pause: async () => {},
  });
  onTestFinished(async () => {
    await instance.stop(0);
    rmSync(folder, { recursive: true });
  });
  instance.takeLock(folder);
  await instance.serve();
  const pages = () => readdirSync(folder).filter((name) => name.endsWith('.html'));
  return { folder, instance, opened, printed, pages };
}

test('opens a browser with a page of the data folder, passes no token as an argument, gives a second process such a page, and removes its pages, and that of a killed program', async () => {
  const { folder, instance, opened, pages } = await startInstance();
  expect(pages()).not.toContain(LEFT);
  expect(pages()).toHaveLength(1);
  expect(opened.map((url) => fileURLToPath(url))).toEqual(pages().map((name) => join(folder, name)));
  const second = { argv: [], workingDirectory: '/' };
  const { open, ready }: HandOverAnswer = await handOver(join(folder, LOCK_FILE), second, vi.fn());
  expect(pages().map((name) => join(folder, name))).toContain(fileURLToPath(open ?? ''));
  expect(ready).toMatch(/\?token=[\w-]{43}$/);
  await instance.stop(0);
  expect(pages()).toEqual([]);
});

/** A data folder in which hosts are started, one after the other. */
function folderForTest() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-resume-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a host; returns it with the key that its pages get. */
async function startHost(folder: string | null) {
  const resume = createResume(folder, randomBytes);
  const server = await startServer(
    {
      ...SERVER,
      secret: () => null,
      resume,
      secondInstance: (_start, access) => ({ ready: access.invitation(), open: null }),
    },
    0,
  );
  onTestFinished(() => server.stop());
  return { server, key: resume.key };
}

/** Looks for the host as a page does; `port` is the one in the page's address. */
async function reach({ access, port: serverPort }: Server, key: string | null, port = serverPort) {
  const cookies: (string | null)[] = [];
  const secrets: string[] = [];
  const bodies: string[] = [];
  const found = await reachHost(key, {
    port,
    async post(path, body) {
      bodies.push(body);
      const headers = { 'content-type': 'application/json', origin: access.origin };
      const response = await fetch(access.origin + path, { method: 'POST', headers, body });
      cookies.push(response.headers.get('set-cookie'));
      return response;
    },
    keepPageSecret: (secret) => void secrets.push(secret),
  });
  return { found, secrets, cookie: cookies.at(-1), requests: bodies.length };
}

test('contract §2 started again: signs in a page of this run and of earlier runs of the same data folder', async () => {
  const folder = folderForTest();
  const first = await startHost(folder);
  const second = await startHost(folder);
  const third = await startHost(folder);
  for (const { key } of [first, second, third])
    expect(await reach(third.server, key)).toMatchObject({
      found: 'ready',
      secrets: [third.server.access.pageSecret],
      cookie: third.server.access.cookie,
    });
});

test('does not know a page of another data folder, of a long time ago, of another port, or without a key', async () => {
  const folder = folderForTest();
  const { key: old } = await startHost(folder);
  for (let starts = 0; starts < 4; starts++) createResume(folder, randomBytes);
  const { server } = await startHost(folder);
  const { key: other } = await startHost(folderForTest());
  const { key: none } = await startHost(null);
  for (const key of [old, other, none, null])
    expect(await reach(server, key)).toEqual({ found: 'unknown', secrets: [], cookie: null, requests: 1 });
  // A server of another port cannot pass the key on.
  const { server: own, key } = await startHost(folderForTest());
  expect(await reach(own, key, own.port + 1)).toMatchObject({ found: 'unknown', requests: 1 });
});

test('a page gives nothing to a server that does not prove that it is the host, and finds that the host has stopped when none answers', async () => {
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
  const stopped = reachHost('key', {
    ...options,
    post: () => Promise.reject(new TypeError('Failed to fetch')),
  });
  expect(await stopped).toBe('stopped');
});

test('refuses a wrong proof, a request of another site, and another body', async () => {
  const { server } = await startHost(folderForTest());
  const status = async (body: string, origin = server.access.origin) => {
    const headers = { 'content-type': 'application/json', origin };
    const response = await fetch(`${server.access.origin}/-/resume`, { method: 'POST', headers, body });
    expect(response.headers.get('set-cookie')).toBeNull();
    return response.status;
  };
  expect(await status('{"nonce":"a","proof":"b"}')).toBe(403);
  expect(await status('{"nonce":"a"}', 'http://evil.example')).toBe(403);
  expect([await status('{"nonce":1}'), await status('{'), await status('[]')]).toEqual([400, 400, 400]);
});

test('contract §2 data folder: keeps a few keys with mode 0600, and a new one for each run', () => {
  const folder = folderForTest();
  const keys = Array.from({ length: 9 }, () => createResume(folder, randomBytes).key);
  const file = join(folder, 'web-host.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ keys: keys.slice(-4).toReversed() });
});
