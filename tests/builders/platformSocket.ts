import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type Inbox, platformInbox } from './platformInbox.ts';

/** A close as the platform saw it: what the client sent, or 1006 when the connection broke. */
interface SeenClose {
  readonly code: number;
  readonly reason: string;
}

/** The platform's end of one client's WebSocket. */
export interface PlatformSocket {
  /** The requested path, as it was on the wire. */
  readonly path: string;
  /** The text frames that the client sent. */
  readonly frames: Inbox<string>;
  /** When the client's pings arrived: values of `performance.now()`. */
  readonly pings: Inbox<number>;
  /** Resolves to the close of the socket. */
  readonly closed: Promise<SeenClose>;
  /** Sends an update, or any value, as JSON. */
  send(update: unknown): void;
  /** Sends a text frame; bytes need not be UTF-8. */
  sendText(text: string | Uint8Array): void;
  /** Sends a fragment of a text frame; more must follow unless it is the last. */
  sendPart(text: string, isLast: boolean): void;
  sendBinary(bytes: Uint8Array): void;
  /** Sends only the header of a text frame of this length, in bytes. Send nothing after it. */
  sendHeader(length: number): void;
  /** Pings the client; resolves with its pong. */
  ping(): Promise<void>;
  /** Sends an unsolicited pong. */
  pong(): void;
  /** Sets whether pings are answered from now on. */
  answerPings(answers: boolean): void;
  /** Closes; without a code, the close frame has neither code nor reason. */
  close(code?: number, reason?: string): void;
  /** Returns the number of sent bytes that the client has not received. */
  waiting(): number;
  /** Stops reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Breaks the connection. */
  terminate(): void;
}

interface Options {
  readonly path: string;
  readonly answersPings: boolean;
  /** The WebSocket's TCP connection. */
  readonly tcpSocket: Duplex;
}

/** Wraps a WebSocket that the platform has accepted. */
export function platformSocket(
  socket: WebSocket,
  { path, answersPings, tcpSocket }: Options,
): PlatformSocket {
  const frames = platformInbox<string>();
  const pings = platformInbox<number>();
  let answers = answersPings;

  socket.on('message', (data: Buffer) => frames.push(data.toString()));
  socket.on('ping', (data) => {
    pings.push(performance.now());
    if (answers) socket.pong(data);
  });
  // The close event reports the same.
  socket.on('error', () => undefined);
  const closed = new Promise<SeenClose>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });

  return {
    path,
    frames,
    pings,
    closed,
    send: (update) => socket.send(JSON.stringify(update)),
    sendText: (text) => socket.send(text, { binary: false }),
    sendPart: (text, isLast) => socket.send(text, { fin: isLast }),
    sendBinary: (bytes) => socket.send(bytes, { binary: true }),
    sendHeader(length) {
      const header = Buffer.of(0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0);
      header.writeBigUInt64BE(BigInt(length), 2);
      tcpSocket.write(header);
    },
    ping: () =>
      new Promise((resolve) => {
        socket.once('pong', () => resolve());
        socket.ping();
      }),
    pong: () => socket.pong(),
    answerPings(whether) {
      answers = whether;
    },
    close: (code, reason) => socket.close(code, reason),
    waiting: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    terminate: () => socket.terminate(),
  };
}
