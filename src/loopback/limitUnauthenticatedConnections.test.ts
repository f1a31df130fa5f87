import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { limitUnauthenticatedConnections } from './guard.ts';
import { changes } from '#tests/builders/changes.ts';

/** Starts a server that accepts every request; returns it with its timers, which the test runs. */
async function start() {
  const timers: { ms: number; task: () => void; isCancelled: boolean }[] = [];
  const server = createServer((request, response) => {
    letIn(request.socket);
    response.end('known');
  });
  const letIn = limitUnauthenticatedConnections(server, (ms, task) => {
    const timer = { ms, task, isCancelled: false };
    timers.push(timer);
    return () => void (timer.isCancelled = true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const { changed, until } = changes();
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
    changed();
  });
  const open = async (count: number): Promise<Socket[]> => {
    const before = accepted;
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {}).resume();
    await until(() => accepted === before + count);
    return sockets;
  };
  const run = (ms: number) => {
    for (const timer of timers.splice(0)) {
      if (timer.ms === ms && !timer.isCancelled) timer.task();
      else timers.push(timer);
    }
  };
  return { open, run };
}

const closedOf = (sockets: readonly Socket[]) => sockets.map(({ closed }) => closed);

async function enter(socket: Socket): Promise<void> {
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
}

it('closes the oldest connections when more than 64 have no accepted request, and no others', async () => {
  const { open, run } = await start();
  const [known] = await open(1);
  if (known !== undefined) await enter(known);
  const old = await open(16);
  const recent = await open(64);
  const closes = old.map((socket) => once(socket, 'close'));
  run(250);
  await Promise.all(closes);
  expect(closedOf([...recent, ...(known ? [known] : [])])).not.toContain(true);
});

it('closes a connection without an accepted request after 10 s', async () => {
  const { open, run } = await start();
  const [known, unknown] = await open(2);
  if (known !== undefined) await enter(known);
  const closed = unknown && once(unknown, 'close');
  run(10_000);
  await closed;
  expect(known?.closed).toBe(false);
});
