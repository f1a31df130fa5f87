import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { platformInbox } from './platformInbox.ts';

interface Options {
  /** The requested path, as it was on the wire. */
  readonly path: string;
  readonly answersPings: boolean;
  /** The WebSocket's TCP connection. */
  readonly tcpSocket: Duplex;
}

/** The platform's end of one client's WebSocket. */
export type PlatformSocket = ReturnType<typeof platformSocket>;

/** Wraps a WebSocket that the platform has accepted. */
export function platformSocket(socket: WebSocket, { path, answersPings, tcpSocket }: Options) {
  const frames = platformInbox<string>();
  /** When the client's pings arrived: values of `performance.now()`. */
  const pings = platformInbox<number>();
  let answers = answersPings;

  socket.on('message', (data: Buffer) => frames.push(data.toString()));
  socket.on('ping', (data) => {
    pings.push(performance.now());
    if (answers) socket.pong(data);
  });
  // The close event reports the same.
  socket.on('error', () => undefined);
  /** Resolves to the close as the platform saw it: what the client sent, or 1006 when the connection broke. */
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });

  return {
    path,
    frames,
    pings,
    closed,
    /** Sends an update, or any value, as JSON. */
    send: (update: unknown): void => socket.send(JSON.stringify(update)),
    /** Sends a text frame; bytes need not be UTF-8. */
    sendText: (text: string | Uint8Array): void => socket.send(text, { binary: false }),
    /** Sends a fragment of a text frame; more must follow unless it is the last. */
    sendPart: (text: string, isLast: boolean): void => socket.send(text, { fin: isLast }),
    sendBinary: (bytes: Uint8Array): void => socket.send(bytes, { binary: true }),
    /** Sends only the header of a text frame of this length, in bytes. Send nothing after it. */
    sendHeader(length: number): void {
      const header = Buffer.of(0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0);
      header.writeBigUInt64BE(BigInt(length), 2);
      tcpSocket.write(header);
    },
    /** Pings the client; resolves with its pong. */
    ping: () =>
      new Promise<void>((resolve) => {
        socket.once('pong', () => resolve());
        socket.ping();
      }),
    pong: () => socket.pong(),
    /** Sets whether pings are answered from now on. */
    answerPings: (whether: boolean) => void (answers = whether),
    /** Closes; without a code, the close frame has neither code nor reason. */
    close: (code?: number, reason?: string): void => socket.close(code, reason),
    /** Returns the number of sent bytes that the client has not received. */
    waiting: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    terminate: () => socket.terminate(),
  };
}
