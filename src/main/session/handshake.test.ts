import { systemClock } from '#shared/clock.ts';
import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openSocket } from './platformSocket.ts';

const nothing = () => undefined;

test('spec §5 item 1: connects with the account in the path and without a header, cookie or token of its own', async () => {
  const server = createServer();
  const asked = new Promise<IncomingMessage>((resolve) => {
    server.once('upgrade', (request, line) => {
      line.destroy();
      resolve(request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const socket = openSocket({
    url: `ws://127.0.0.1:${port}/account-1`,
    clock: systemClock(globalThis),
    events: { opened: nothing, confirmed: nothing, closed: nothing, frame: nothing, tooLarge: nothing },
  });
  const { url, headers } = await asked;
  expect(url).toBe('/account-1');
  expect(Object.keys(headers).sort()).toEqual([
    'connection',
    'host',
    'sec-websocket-extensions',
    'sec-websocket-key',
    'sec-websocket-version',
    'upgrade',
  ]);
  socket.end(1000, '');
  server.close();
  await once(server, 'close');
});
