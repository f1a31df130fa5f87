import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type RawData, WebSocket } from 'ws';
import { createRecorder } from '../record.ts';
import { recordsOf, startServer } from './testing/recorded.ts';

/** Creates a recorder that keeps the types of frames, and functions that return its records, also as lines without the ports of servers. */
function setUp() {
  const recorder = createRecorder({ app: 'x', clear: ['type', 'post'], now: () => 0 });
  const records = () => recordsOf(recorder.save());
  const shown = () =>
    records()
      .map((record) => `${JSON.stringify(record).replaceAll(/127\.0\.0\.1:\d{2,}/g, '127.0.0.1')}\n`)
      .join('');
  return { recorder, records, shown };
}

/** Starts a server that answers each request with these pieces, and a recorder of the requests. */
async function answering(type: string, ...pieces: readonly (string | Uint8Array)[]) {
  const { recorder, ...recorded } = setUp();
  const url = await startServer((_, response) => {
    response.writeHead(200, { 'content-type': type, 'x-person': 'Ada' });
    for (const piece of pieces) response.write(piece);
    response.end();
  });
  return { fetch: recorder.fetch(fetch), url, ...recorded };
}

const request = (url: string) => ({ type: 'http', id: 1, request: { method: 'GET', url } });

test('records requests and whole answers, a Request, an answer that is cloned, and bytes, without the texts of people', async () => {
  const type = 'application/json; charset=utf-8';
  const { fetch, url, shown } = await answering(type, '{"type":"user","name":"Ada"}');
  const init = { method: 'post', body: '{"name":"Ada"}' };
  const response = await fetch(`${url}/api/users/ada@x.org/posts/42?query=Ada&page=2#Ada`, init);
  expect(await response.json()).toEqual({ type: 'user', name: 'Ada' });
  expect(response.bodyUsed).toBe(true);
  const bytes = await answering('image/png', new Uint8Array([1, 2]));
  const headers = { 'content-type': 'application/json' };
  const put = new Request(bytes.url, { method: 'PUT', body: '["Ada"]', headers });
  const picture = await bytes.fetch(put);
  const clone = picture.clone();
  expect(new Uint8Array(await clone.arrayBuffer())).toEqual(new Uint8Array([1, 2]));
  expect((await picture.blob()).size).toBe(2);
  await expect(shown() + bytes.shown()).toMatchFileSnapshot('testing/whole-answers.txt');
});

/** Reads an answer in pieces; returns its text, and the pieces that are recorded. */
async function piecesOf(type: string, ...pieces: readonly string[]) {
  const { fetch, url, records } = await answering(type, ...pieces);
  let read = '';
  const { body } = await fetch(url);
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) read += piece;
  const chunks = records().flatMap(({ chunk }) => (typeof chunk === 'string' ? [chunk] : []));
  return { read, records: records(), url, chunks, recorded: chunks.join('') };
}

test('records server-sent events by whole events, and gives the app its pieces as they are', async () => {
  const moved = ['event: card\nid: Ada-1\nda', 'ta: {"type":"moved",\ndata: "by":"Ada"}\n'];
  const events = [...moved, '\ndata: [DONE]\n\n'];
  const { read, records, url, chunks, recorded } = await piecesOf('text/event-stream', ...events);
  expect(read).toBe(events.join(''));
  expect(recorded).toBe('event: card\nid: id-0\ndata: {"type":"moved","by":"text-0"}\n\ndata: frame-0\n\n');
  const response = { status: 200, headers: { 'content-type': 'text/event-stream' } };
  const rest = chunks.map((chunk) => ({ chunk }));
  expect(records).toMatchObject([request(url), { response }, ...rest, { end: true }]);
});

const NDJSON = '{"a":"text-0"}\n{"b":"text-1"}\n{"c":1}';

test.each([
  ['NDJSON by lines', NDJSON, 'application/x-ndjson', '{"a":"x"}\n{"b', '":"y"}\n{"c":1}'],
  ['JSON as a whole', '[{"a":"text-0"}]', 'application/json', '[{"a":', '"x"}]'],
  ['other texts piece by piece', 'text-0', 'text/plain', 'A text of Ada'],
])('records %s', async (_, recorded, ...[type = '', ...pieces]) => {
  expect(await piecesOf(type, ...pieces)).toMatchObject({ recorded });
});

test('records an answer of which the app reads nothing, and one that it reads later', async () => {
  const { fetch, url, records } = await answering('text/plain', 'Ada');
  const response = await fetch(url);
  await new Promise((resolve) => void setTimeout(resolve, 0));
  expect(records()).toMatchObject([request(url), { response: { status: 200 } }]);
  expect(records()[1]).not.toHaveProperty('response.body');
  expect(await response.text()).toBe('Ada');
  expect(records().slice(2)).toMatchObject([{ chunk: 'text-0' }, { end: true }]);
});

test('records nothing before a body is complete, and the name of the error when it is not valid', async () => {
  const { recorder, records } = setUp();
  const { readable, writable } = new TransformStream();
  const body = writable.getWriter();
  const reading = (await recorder.fetch(() => Promise.resolve(new Response(readable)))('/api')).json();
  expect(records()).toMatchObject([request('/api')]);
  await body.write(new TextEncoder().encode('no JSON of Ada'));
  await body.close();
  await expect(reading).rejects.toThrow(SyntaxError);
  expect(records().slice(1)).toEqual([{ type: 'http', id: 1, error: 'SyntaxError' }]);
  await recorder.fetch(() => Promise.resolve(new Response(null, { status: 204 })))('/api');
  const response = { status: 204, headers: {}, body: '' };
  expect(records().at(-1)).toEqual({ type: 'http', id: 2, response });
});

test('passes an abort on in both directions, and records only the name of an error', async () => {
  const { recorder, shown } = setUp();
  const closed: Promise<unknown>[] = [];
  const url = await startServer((_, response) => {
    closed.push(once(response, 'close'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  });
  const recorded = recorder.fetch(fetch);
  const abort = new AbortController();
  const reader = (await recorded(url, { signal: abort.signal })).body?.getReader();
  await reader?.read();
  abort.abort();
  await expect(reader?.read()).rejects.toThrow('aborted');
  const second = (await recorded(url)).body?.getReader({ mode: 'byob' });
  const { value } = (await second?.read(new Uint8Array(5))) ?? {};
  expect(new TextDecoder().decode(value)).toBe('data:');
  await second?.cancel();
  await Promise.all(closed);
  await expect(recorded('http://127.0.0.1:1/')).rejects.toThrow('fetch failed');
  await expect(recorded('no address of Ada')).rejects.toThrow(TypeError);
  await expect(shown()).toMatchFileSnapshot('testing/aborted.txt');
});

/** Starts a server that sends these frames to each client, and then each frame of the client back. */
async function startEcho(...frames: readonly (string | Uint8Array)[]): Promise<string> {
  const url = await startServer(
    () => {},
    (socket) => {
      for (const frame of frames) socket.send(frame);
      socket.on('message', (data: RawData, isBinary) => socket.send(data, { binary: isBinary }));
    },
  );
  return url.replace('http', 'ws');
}

test('records what sockets of ws receive and send, in its order, numbers the connections, and records those that fail', async () => {
  const { recorder, shown } = setUp();
  const Recorded = recorder.webSocket(WebSocket);
  const url = await startEcho('{"type":"hello","name":"Ada"}');
  const socket = new Recorded(url);
  expect(socket).toBeInstanceOf(WebSocket);
  expect(socket).toBeInstanceOf(Recorded);
  expect([Recorded.OPEN, Recorded.name]).toEqual([1, 'WebSocket']);
  const [hello] = await once(socket, 'message');
  expect(String(hello)).toBe('{"type":"hello","name":"Ada"}');
  socket.send('Ada');
  await once(socket, 'message');
  socket.send(new Uint8Array([1, 2, 3]));
  await once(socket, 'message');
  const second = new Recorded(url);
  await once(second, 'message');
  second.close(1000, 'bye Ada');
  await once(second, 'close');
  const third = new Recorded('ws://127.0.0.1:1');
  // The exception of a socket without a listener for errors would be the app's, as without a recorder.
  const errors: string[] = [];
  third.on('error', ({ message }) => errors.push(message));
  await new Promise((resolve) => void third.on('close', resolve));
  expect(errors).toEqual(['connect ECONNREFUSED 127.0.0.1:1']);
  socket.close(1000);
  await once(socket, 'close');
  await expect(shown()).toMatchFileSnapshot('testing/sockets.txt');
});

test('changes nothing that the app sees of its sockets: exceptions, subclasses, errors', async () => {
  const { recorder, records } = setUp();
  class AppSocket extends recorder.webSocket(WebSocket) {
    sendJson(value: unknown): void {
      this.send(JSON.stringify(value));
    }
  }
  const socket = new AppSocket(await startEcho());
  expect(() => socket.send('too early')).toThrow('CONNECTING');
  await once(socket, 'open');
  socket.sendJson([1]);
  await once(socket, 'message');
  socket.terminate();
  await once(socket, 'close');
  socket.send('too late');
  expect(() => new AppSocket('no address')).toThrow(SyntaxError);
  expect(records().map(({ type }) => type)).toEqual(['open', 'send', 'recv', 'close']);
});

const isOfBoard = ({ type }: { readonly type: string }): boolean => type.startsWith('board/');

test('records user actions, and neither those that follow from a frame nor those that follow from one of them', async () => {
  const { recorder, records } = setUp();
  const applied: unknown[] = [];
  const reduce = recorder.middleware({ record: isOfBoard })(undefined)((action) => applied.push(action));
  const socket = new (recorder.webSocket(WebSocket))(await startEcho('{}'));
  socket.on('message', () => reduce({ type: 'board/changed' }));
  await once(socket, 'message');
  reduce({ type: 'board/renamed', payload: { title: 'Ada’s board' } });
  reduce({ type: 'other/ticked' });
  reduce(() => undefined);
  expect(applied).toHaveLength(4);
  const renamed = { type: 'board/renamed', payload: { title: 'text-0' } };
  expect(records().filter(({ type }) => type === 'action')).toEqual([{ type: 'action', action: renamed }]);
});

/** An event source whose events the test sends. */
class FakeSource extends EventTarget {
  readyState = 0;
  constructor(readonly url: string) {
    super();
  }
  happen(readyState: number, event: Event): void {
    this.readyState = readyState;
    this.dispatchEvent(event);
  }
  close(): void {
    this.readyState = 2;
  }
}

test('records the events to which the app listens, and the interruptions, without actions that follow from an event', async () => {
  const { recorder, shown } = setUp();
  const dispatch = recorder.middleware({ record: () => true })(undefined)(() => undefined);
  const source = new (recorder.eventSource(FakeSource))('/events');
  expect(source).toBeInstanceOf(FakeSource);
  const seen: unknown[] = [];
  const receive = (type: string, data: string, lastEventId = '') =>
    source.happen(1, new MessageEvent(type, { data, lastEventId }));
  source.happen(1, new Event('open'));
  receive('message', '{"type":"hello","name":"Ada"}', 'Ada-1');
  receive('card', '{"title":"not heard"}');
  source.addEventListener('card', (event) => void seen.push(event));
  source.addEventListener('card', (event) => void seen.push(event, dispatch({ type: 'from/frame' })));
  receive('card', 'Ada');
  dispatch({ type: 'from/person' });
  source.happen(0, new Event('error'));
  source.happen(0, new Event('error'));
  source.happen(1, new Event('open'));
  source.close();
  expect(seen).toHaveLength(3);
  await expect(shown()).toMatchFileSnapshot('testing/events.txt');
});
