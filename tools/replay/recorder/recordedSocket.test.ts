import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { createRecorder } from '../record.ts';
import { linesOf, portOf, virtualNow } from './testing/recorded.ts';

/** Starts a server that sends these frames to each client, and then each frame of the client back. */
async function startEcho(...frames: readonly (string | Uint8Array)[]): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    for (const client of server.clients) client.terminate();
    server.close();
    await once(server, 'close');
  });
  server.on('connection', (socket) => {
    for (const frame of frames) socket.send(frame);
    socket.on('message', (data: RawData, isBinary) => socket.send(data, { binary: isBinary }));
  });
  return `ws://127.0.0.1:${await portOf(server)}`;
}

test('masks the texts of JSON within a field in clear, so that the app can parse it', async () => {
  const recorder = createRecorder({ app: 'x', clear: ['type', 'post'], now: virtualNow() });
  const post = JSON.stringify({ type: 'reply', message: 'Hi', user: 'Ada' });
  const socket = new (recorder.webSocket(WebSocket))(await startEcho(JSON.stringify({ post, other: post })));
  await once(socket, 'message');
  const [, , { data } = {}] = linesOf(recorder.save());
  expect(JSON.parse(String(data))).toEqual({
    post: '{"type":"reply","message":"text-0","user":"text-1"}',
    other: 'text-2',
  });
});

test('records what a socket of ws receives and sends, in its order', async () => {
  const recorder = createRecorder({ app: 'x', clear: ['type'], now: virtualNow() });
  const Recorded = recorder.webSocket(WebSocket);
  const socket = new Recorded(await startEcho('{"type":"hello","name":"Ada"}'));
  expect(socket).toBeInstanceOf(WebSocket);
  expect(socket).toBeInstanceOf(Recorded);
  expect(Recorded.OPEN).toBe(1);
  expect(Recorded.name).toBe('WebSocket');
  const [hello] = await once(socket, 'message');
  expect(String(hello)).toBe('{"type":"hello","name":"Ada"}');
  socket.send('Ada');
  await once(socket, 'message');
  socket.send(new Uint8Array([1, 2, 3]));
  await once(socket, 'message');
  socket.close(1000, 'bye Ada');
  await once(socket, 'close');
  expect(linesOf(recorder.save())).toMatchObject([
    { format: 'parley-capture', version: 2, app: 'x' },
    { type: 'open' },
    { type: 'recv', data: '{"type":"hello","name":"person-0"}' },
    { type: 'send', data: 'person-0' },
    { type: 'recv', data: 'person-0' },
    { type: 'send', data: btoa('binary-0'), encoding: 'base64' },
    { type: 'recv', data: btoa('binary-0'), encoding: 'base64' },
    { type: 'close', code: 1000, reason: 'reason-0' },
    { type: 'end' },
  ]);
});

test('changes nothing that the app sees of its sockets: exceptions, subclasses, errors', async () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
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
  const types = linesOf(recorder.save()).map(({ type }) => type);
  expect(types).toEqual([undefined, 'open', 'send', 'recv', 'close', 'end']);
});

test('numbers the connections, and records those that fail', async () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const Recorded = recorder.webSocket(WebSocket);
  const url = await startEcho();
  const first = new Recorded(url);
  await once(first, 'open');
  const second = new Recorded(url);
  await once(second, 'open');
  second.close(1000);
  await once(second, 'close');
  const third = new Recorded('ws://127.0.0.1:1');
  // The exception of a socket without a listener for errors would be the app's, as without a recorder.
  const errors: string[] = [];
  third.on('error', ({ message }) => errors.push(message));
  await new Promise((resolve) => void third.on('close', resolve));
  expect(errors).toEqual(['connect ECONNREFUSED 127.0.0.1:1']);
  expect(linesOf(recorder.save()).slice(1)).toMatchObject([
    { type: 'open' },
    { type: 'open', socket: 2 },
    { type: 'close', code: 1000, reason: '', socket: 2 },
    { type: 'close', code: 1006, reason: '', socket: 3 },
    { type: 'end' },
  ]);
});

const isOfBoard = ({ type }: { readonly type: string }): boolean => type.startsWith('board/');

test('records user actions, and neither those that follow from a frame nor those that follow from one of them', async () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const applied: unknown[] = [];
  const reduce = recorder.middleware({ record: isOfBoard })(undefined)((action) => applied.push(action));
  const socket = new (recorder.webSocket(WebSocket))(await startEcho('{}'));
  socket.on('message', () => reduce({ type: 'board/changed' }));
  await once(socket, 'message');
  reduce({ type: 'board/renamed', payload: { title: 'Ada’s board' } });
  reduce({ type: 'other/ticked' });
  reduce(() => undefined);
  expect(applied).toHaveLength(4);
  expect(linesOf(recorder.save()).filter(({ type }) => type === 'action')).toEqual([
    {
      t: expect.any(Number),
      type: 'action',
      action: { type: 'board/renamed', payload: { title: 'text-0' } },
    },
  ]);
});

/** An event source whose events the test sends. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  constructor(readonly url: string) {
    super();
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  receive(type: string, data: string, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
  }
  fail(state: 0 | 2): void {
    this.readyState = state;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = 2;
  }
}

test('records the events to which the app listens, and the interruptions', () => {
  const recorder = createRecorder({ app: 'x', clear: ['type'], now: virtualNow() });
  const source = new (recorder.eventSource(FakeSource))('/events');
  expect(source).toBeInstanceOf(FakeSource);
  const seen: unknown[] = [];
  source.open();
  source.receive('message', '{"type":"hello","name":"Ada"}', 'Ada-1');
  source.receive('card', '{"title":"not heard"}');
  source.addEventListener('card', (event) => void seen.push(event));
  source.addEventListener('card', (event) => void seen.push(event));
  source.receive('card', 'Ada');
  source.fail(0);
  source.fail(0);
  source.open();
  source.close();
  expect(seen).toHaveLength(2);
  expect(linesOf(recorder.save()).slice(1)).toMatchObject([
    { type: 'open' },
    {
      type: 'recv',
      data: JSON.stringify({ event: 'message', data: '{"type":"hello","name":"person-0"}', id: 'id-0' }),
    },
    { type: 'recv', data: '{"event":"card","data":"person-0"}' },
    { type: 'close', code: 1006, reason: '' },
    { type: 'open' },
    { type: 'close', code: 1000, reason: '' },
    { type: 'end' },
  ]);
});

test('records no action that the app dispatches while it handles an event', () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const dispatch = recorder.middleware({ record: () => true })(undefined)(() => undefined);
  const source = new (recorder.eventSource(FakeSource))('/events');
  source.addEventListener('message', () => void dispatch({ type: 'from/frame' }));
  source.receive('message', '{}');
  dispatch({ type: 'from/person' });
  const actions = linesOf(recorder.save()).filter(({ type }) => type === 'action');
  expect(actions).toMatchObject([{ action: { type: 'from/person' } }]);
});
