import { once } from 'node:events';
import { WebSocket } from 'ws';
import { onTestFinished } from 'vitest';
import { platformInbox } from './platformInbox.ts';

/** Connects a client of a platform until the test ends. After `roundTrip`, everything that the peer sent before has arrived in `frames`. */
export async function connectClient(url: string, headers: Readonly<Record<string, string>> = {}) {
  const socket = new WebSocket(url, { headers });
  onTestFinished(() => socket.terminate());
  const frames = platformInbox<string | Buffer>();
  socket.on('message', (data: Buffer, isBinary) => frames.push(isBinary ? data : data.toString()));
  // The close event, or `once` below, reports the same.
  socket.on('error', () => {});
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  let trips = 0;
  const roundTrip = async () => {
    const trip = String(++trips);
    socket.ping(trip);
    // A pong of an earlier trip may arrive first.
    for (let answered = ''; answered !== trip;) answered = String((await once(socket, 'pong'))[0]);
  };
  await once(socket, 'open');
  return {
    frames,
    closed,
    socket,
    roundTrip,
    /** Sends a frame; resolves when the peer has answered a ping that followed it. */
    async send(frame: string | Buffer) {
      socket.send(frame);
      await roundTrip();
    },
  };
}
