import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { PAGE_BUFFER_BYTES, sendWithinBuffer } from './webServer.ts';

const MB = 1024 * 1024;

/** Connects a host's WebSocket with a page's; returns both and the page's TCP socket. */
async function connected() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line = connect(portOf(server), '127.0.0.1');
  const page = new WebSocket(`ws://127.0.0.1`, { createConnection: () => line, maxPayload: 0 });
  const [host] = await Promise.all([
    new Promise<WebSocket>((resolve) => void sockets.once('connection', resolve)),
    once(page, 'open'),
  ]);
  onTestFinished(() => {
    page.terminate();
    server.close();
  });
  return { host, page, line };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

test('closes the connection of a page that does not read, while few bytes wait', async () => {
  const { host, line } = await connected();
  line.pause();
  const send = sendWithinBuffer(host);
  const frame = 'x'.repeat(MB);
  let most = 0;
  for (let sent = 0; sent < 200 && host.readyState === WebSocket.OPEN; sent++) {
    send(frame);
    most = Math.max(most, host.bufferedAmount);
    await setImmediate();
  }
  expect(host.readyState).not.toBe(WebSocket.OPEN);
  expect(most).toBeLessThan(PAGE_BUFFER_BYTES + 3 * MB);
});

test('sends a frame of any size, and frames after it, to a page that reads', async () => {
  const { host, page } = await connected();
  const send = sendWithinBuffer(host);
  const lengths: number[] = [];
  page.on('message', (data: Buffer) => lengths.push(data.byteLength));
  send('a');
  send('x'.repeat(3 * PAGE_BUFFER_BYTES));
  for (let n = 0; n < 50; n++) send('b');
  while (lengths.length < 52) await once(page, 'message');
  expect(lengths.slice(0, 3)).toEqual([1, 3 * PAGE_BUFFER_BYTES, 1]);
  expect(host.readyState).toBe(WebSocket.OPEN);
});

test('closes the connection of a page that does not read, when large frames follow', async () => {
  const { host, line } = await connected();
  line.pause();
  const send = sendWithinBuffer(host);
  for (let n = 0; n < 4; n++) send('x'.repeat(2 * PAGE_BUFFER_BYTES));
  expect(host.readyState).not.toBe(WebSocket.OPEN);
});
