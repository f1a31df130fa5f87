import { once } from 'node:events';
import { WebSocket } from 'ws';
import { onTestFinished } from 'vitest';
import { type Inbox, platformInbox } from './platformInbox.ts';

/** A client of a platform, over a real WebSocket. */
export interface Client {
  /** The received frames: text, or bytes when binary. */
  readonly frames: Inbox<string | Buffer>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly socket: WebSocket;
  /** Sends a frame; resolves when the peer has answered a ping that followed it. */
  send(frame: string | Buffer): Promise<void>;
  /** Resolves when the peer has answered a ping, so everything that it sent before has arrived. */
  roundTrip(): Promise<void>;
}

/** Connects a client; the connection is terminated with the test. */
export async function connectClient(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
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
    async send(frame) {
      socket.send(frame);
      await roundTrip();
    },
  };
}
