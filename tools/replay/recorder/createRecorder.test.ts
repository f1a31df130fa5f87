import { EventEmitter } from 'node:events';
import { type Action, configureStore } from '@reduxjs/toolkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRecorder } from '../record.ts';
import { linesOf, recordsOf, startServer } from './testing/recorded.ts';
import { createUpload } from './createUpload.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 20, 9);

/** A recorder with a clock that the test sets, in minutes, and a socket of it. */
function setUp(bytes?: number) {
  let ms = 0;
  const recorder = createRecorder({ app: 'x 1.0', now: () => START + ms, ...(bytes && { bytes }) });
  class Socket extends EventTarget {
    readyState = 1;
    readonly url = '';
    send(_data: string): void {}
  }
  const newSocket = () => {
    const socket = new (recorder.webSocket(Socket))();
    socket.dispatchEvent(new Event('open'));
    return {
      receive: (data: unknown) => void socket.dispatchEvent(new MessageEvent('message', { data })),
      close: () => void socket.dispatchEvent(Object.assign(new Event('close'), { code: 1000, reason: '' })),
    };
  };
  const advance = (minutes: number): void => void (ms += minutes * MINUTE);
  return { recorder, newSocket, advance, records: () => recordsOf(recorder.save()) };
}

test('keeps the last minutes, and begins with what was lost and which sockets are open', () => {
  const { recorder, newSocket, advance } = setUp();
  const first = newSocket();
  newSocket().close();
  newSocket();
  first.receive('"Ada"');
  advance(3);
  first.receive('"Lin"');
  advance(4);
  first.receive('"Ada"');
  expect(linesOf(recorder.save())).toEqual([
    expect.objectContaining({ startedAt: '2026-11-20T09:03:00.000Z', app: 'x 1.0' }),
    { t: 0, type: 'gap', lost: 5 },
    { t: 0, type: 'open' },
    { t: 0, type: 'open', socket: 3 },
    { t: 0, type: 'recv', data: '"text-1"' },
    { t: 4 * MINUTE, type: 'recv', data: '"text-0"' },
    { t: 4 * MINUTE, type: 'end' },
  ]);
});

test('gives a text its alias as long as a record contains it, and never gives an alias to two texts', () => {
  const { newSocket, advance, records } = setUp();
  const socket = newSocket();
  const receive = (data: string): unknown => {
    socket.receive(data);
    return records().at(-1)?.['data'];
  };
  expect(receive('"Ada"')).toBe('"text-0"');
  advance(4);
  expect(receive('"Lin"')).toBe('"text-1"');
  expect(receive('"Ada"')).toBe('"text-0"');
  advance(4);
  expect(receive('"Ada"')).toBe('"text-0"');
  advance(30);
  receive('"Lin"');
  advance(30);
  expect(receive('"Ada"')).toBe('"text-2"');
});

test('keeps as many records as fit', () => {
  const { records, newSocket } = setUp(1000);
  const socket = newSocket();
  for (let number = 0; number < 100; number++) socket.receive(String(number));
  const kept = records();
  expect(kept.at(-1)).toEqual({ type: 'recv', data: '99' });
  expect(kept[0]).toEqual({ type: 'gap', lost: 101 - (kept.length - 2) });
  expect(kept.length).toBeLessThan(20);
});

test('omits an answer whose request was dropped', async () => {
  const { recorder, newSocket, advance, records } = setUp();
  const socket = newSocket();
  const recorded = recorder.fetch(() => Promise.resolve(Response.json({ ok: true })));
  const response = await recorded('/api/first');
  advance(4);
  socket.receive('1');
  advance(2);
  await response.json();
  await (await recorded('/api/second')).json();
  expect(records()).toMatchObject([
    { type: 'gap', lost: 3 },
    { type: 'open' },
    { type: 'recv', data: '1' },
    { type: 'http', id: 2, request: { url: '/api/second' } },
    { type: 'http', id: 2, response: { body: '{"ok":true}' } },
  ]);
});

test('is a middleware of Redux Toolkit, and gives requests of all recorded functions different numbers', async () => {
  const { recorder, records } = setUp();
  const middleware = recorder.middleware({ record: ({ type }) => type.startsWith('user/') });
  const store = configureStore({
    reducer: (count: number = 0, { type }: Action) => (type === 'user/added' ? count + 1 : count),
    middleware: (getDefault) => getDefault().concat(middleware),
  });
  store.dispatch((dispatch) => dispatch({ type: 'user/added' }));
  expect(store.getState()).toBe(1);
  for (const path of ['/a', '/b']) await recorder.fetch(async () => new Response())(path);
  const shown = records().map(({ type, id = '' }) => `${String(type)} ${String(id)}`);
  expect(shown).toEqual(['action ', 'http 1', 'http 1', 'http 2', 'http 2']);
});

test('keeps the place of a Blob, whose bytes are read later', async () => {
  const { records, newSocket } = setUp();
  const socket = newSocket();
  socket.receive(new Blob(['Ada']));
  socket.receive('1');
  expect(records().map(({ type }) => type)).toEqual(['open', 'gap', 'recv']);
  await new Promise((resolve) => void setTimeout(resolve, 0));
  await new Blob(['Ada']).arrayBuffer();
  expect(records()).toEqual([
    { type: 'open' },
    { type: 'recv', data: btoa('binary-0'), encoding: 'base64' },
    { type: 'recv', data: '1' },
  ]);
});

test('records a gap instead of throwing into the app', () => {
  const { recorder, newSocket, records } = setUp();
  newSocket().receive(7);
  const cyclic: { type: string; payload?: unknown } = { type: 'x/y' };
  cyclic.payload = cyclic;
  recorder.action(cyclic);
  const gap = { type: 'gap', lost: 1 };
  expect(records()).toEqual([{ type: 'open' }, gap, gap]);
});

/** Does what Node does at an uncaught exception, before it ends the program. */
const fail = (): void =>
  void EventEmitter.prototype.emit.call(process, 'uncaughtExceptionMonitor', new Error('Ada'));

test('gives the capture to a callback at an uncaught error, at most once a minute', () => {
  const { recorder, newSocket, advance } = setUp();
  newSocket();
  const captures: string[] = [];
  const end = recorder.onError((capture) => {
    captures.push(capture);
    throw new Error('not accepted');
  });
  fail();
  fail();
  advance(2);
  fail();
  end();
  advance(2);
  fail();
  expect(captures.map((capture) => recordsOf(capture).length)).toEqual([1, 2]);
  expect(captures.join('')).not.toContain('Ada');
});

test('sends what was recorded and each further record to a server, and records none of its own requests', async () => {
  const { recorder, newSocket } = setUp();
  const socket = newSocket();
  const bodies: string[] = [];
  const url = await startServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.end());
  });
  vi.stubGlobal('fetch', recorder.fetch(fetch));
  onTestFinished(() => void vi.unstubAllGlobals());
  const stream = recorder.streamTo(`${url}/`);
  await stream.flush();
  socket.receive('1');
  await stream.stop();
  socket.receive('2');
  await stream.flush();
  expect(linesOf(bodies.join(''))).toEqual([
    expect.objectContaining({ app: 'x 1.0' }),
    { t: 0, type: 'open' },
    { t: 0, type: 'recv', data: '1' },
    { t: 0, type: 'end' },
  ]);
});

/** A server that accepts the requests for which `accept` returns `true`, and pauses that end when the test says so. */
function uploading(accept: (attempt: number) => boolean) {
  const requests: Record<'piece' | 'body' | 'keepalive', unknown>[] = [];
  const pauses: number[] = [];
  const upload = createUpload({
    url: 'https://x.test/captures?app=board',
    async fetch(input, { body, keepalive } = {}) {
      const { searchParams: given } = new URL(String(input instanceof Request ? input.url : input));
      expect(given.get('app')).toBe('board');
      requests.push({ piece: given.get('piece'), body, keepalive });
      const accepted = accept(requests.length);
      if (!accepted && requests.length % 2 === 0) throw new TypeError('no connection');
      return new Response('', { status: accepted ? 200 : 503 });
    },
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
  });
  return { upload, requests, pauses };
}

test('sends lines together, in their order, and a long line alone', async () => {
  const { upload, requests } = uploading(() => true);
  const long = `{"t":3,"x":"${'x'.repeat(30_000)}"}\n`;
  for (const line of ['{"t":1}\n', '{"t":2}\n', long]) upload.take(line);
  await upload.flush();
  upload.take('{"t":4}\n');
  await upload.flush();
  expect(requests).toEqual([
    { piece: '0', body: '{"t":1}\n{"t":2}\n', keepalive: true },
    { piece: '1', body: long, keepalive: false },
    { piece: '2', body: '{"t":4}\n', keepalive: true },
  ]);
});

test('sends a piece again that was not accepted, and writes a gap for one that is given up', async () => {
  const { upload, requests, pauses } = uploading((attempt) => attempt === 3 || attempt > 8);
  for (const t of [1, 2, 3]) {
    upload.take(`{"t":${t}}\n`);
    await upload.flush();
  }
  expect(requests.map(({ piece }) => piece).join('')).toBe('000111112');
  expect(requests.at(-1)?.body).toBe('{"t":3,"type":"gap","lost":1}\n{"t":3}\n');
  expect(pauses.filter((ms) => ms > 0)).toEqual(expect.arrayContaining([1000, 2000, 4000, 8000]));
});

test('loses the lines for which there is no room, and sends all that waits when the page closes', async () => {
  const { upload, requests } = uploading(() => true);
  const long = `{"t":1,"x":"${'x'.repeat(7_999_000)}"}\n`;
  upload.take(long);
  upload.take(long);
  upload.sendLast();
  upload.take('{"t":2}\n');
  upload.sendLast();
  await upload.flush();
  expect(requests.map(({ body }) => body)).toEqual([long, '{"t":2,"type":"gap","lost":1}\n{"t":2}\n']);
});
