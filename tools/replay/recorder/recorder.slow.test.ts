import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import type { Recorder, RecorderOptions } from '../record.ts';
import { recordsOf, startServer } from './testing/recorded.ts';
import { workerBrowser } from '#tests/browser/harness/chromium.ts';

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    parleyRecord: { createRecorder(options: RecorderOptions): Recorder };
  }
}

test('the recorder changes nothing of a browser’s sockets and events, and records them', async () => {
  // The recorder is a classic script, which imports nothing.
  const input = new URL('../record.ts', import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'iife', name: 'parleyRecord' });
  expect(output[0].imports).toEqual([]);
  // Of a page with the recorder, of events, and of a socket that sends a text and bytes.
  const address = await startServer(
    ({ url }, response) => {
      if (url === '/events') {
        response.setHeader('content-type', 'text/event-stream');
        // The client ends it.
        response.write('data: {"by":"Ada"}\n\nevent: card\ndata: "Ada"\n\n');
      } else response.setHeader('content-type', 'text/html').end(`<script>${output[0].code}</script>`);
    },
    (socket) => {
      socket.send('{"name":"Ada"}');
      socket.send(new Uint8Array([1]));
    },
  );
  const page = await (await workerBrowser()).newPage();
  onTestFinished(() => page.close());
  await page.goto(address);
  const seen = await page.evaluate(async () => {
    const recorder = window.parleyRecord.createRecorder({ app: 'x' });
    const dispatch = recorder.middleware({ record: () => true })(undefined)(() => undefined);
    const next = (target: EventTarget, type: string) =>
      new Promise<Event>((resolve) => target.addEventListener(type, resolve, { once: true }));
    const dataOf = (event: Event): unknown => event instanceof MessageEvent && event.data;

    const Socket = recorder.webSocket(WebSocket);
    const socket = new Socket(location.origin.replace('http', 'ws'));
    socket.addEventListener('message', () => void dispatch({ type: 'from/frame' }));
    const first = dataOf(await next(socket, 'message'));
    const second = dataOf(await next(socket, 'message'));
    // What a frame causes before the browser's next task follows from the frame, too.
    dispatch({ type: 'from/frame' });
    await new Promise((resolve) => void setTimeout(resolve, 0));
    dispatch({ type: 'from/person' });
    socket.send('Ada');
    socket.close(3000, 'bye');
    await next(socket, 'close');

    const source = new (recorder.eventSource(EventSource))('/events');
    const card = await next(source, 'card');
    source.close();

    return {
      socket: [socket instanceof WebSocket, socket instanceof Socket, Socket.OPEN, Socket.name],
      source: source instanceof EventSource,
      received: [first, second instanceof Blob, dataOf(card)],
      capture: recorder.save(),
    };
  });
  const received = ['{"name":"Ada"}', true, '"Ada"'];
  expect(seen).toMatchObject({ socket: [true, true, 1, 'WebSocket'], source: true, received });
  expect(recordsOf(seen.capture)).toEqual([
    { type: 'open' },
    { type: 'recv', data: '{"name":"person-0"}' },
    { type: 'recv', data: btoa('binary-0'), encoding: 'base64' },
    { type: 'action', action: { type: 'from/person' } },
    { type: 'send', data: 'person-0' },
    { type: 'close', code: 3000, reason: 'reason-0' },
    { type: 'open', socket: 2 },
    { type: 'recv', data: '{"event":"message","data":"{\\"by\\":\\"person-0\\"}"}', socket: 2 },
    { type: 'recv', data: '{"event":"card","data":"\\"person-0\\""}', socket: 2 },
    { type: 'close', code: 1000, reason: '', socket: 2 },
  ]);
});
