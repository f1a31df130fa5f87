import { isUtf8 } from 'node:buffer';
import { WebSocket } from 'ws';
import { FRAME_BYTES, OUTGOING_BYTES, PING_INTERVAL_MS } from '#shared/limits.ts';
import type { Close } from '#shared/store/connection.ts';
import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import { watchSilence } from './watchSilence.ts';
import { watchWaking } from './watchWaking.ts';

/** What a socket tells, in order; nothing once it was ended. */
export interface SocketEvents {
  opened(): void;
  /** Each pong: the platform is there. */
  confirmed(): void;
  closed(close: Close): void;
  /** A frame: its text, or `null` for one that is not text, and its bytes as they came. */
  frame(text: string | null, bytes: Buffer): void;
  /** A frame larger than the socket's limit came; the reason of the close that follows says so. */
  tooLarge(): void;
}

export interface SocketOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly events: SocketEvents;
}

/** `closed`: the socket is not open (spec §4.2). `full`: the peer reads too slowly, and 32 MB are waiting to be sent. */
export type SendResult = 'sent' | 'closed' | 'full';

/** One WebSocket, from its opening to its close. */
export interface Socket {
  /** Sends a text frame, or says why not: then nothing was sent. */
  send(text: string): SendResult;
  /** Reads no more until `resume`; the peer's silence does not count meanwhile. */
  pause(): void;
  resume(): void;
  /** The machine was asleep: a peer that does not answer a ping of now within 1000 ms is cut. */
  onResume(): void;
  /** Closes; whatever the peer still says or echoes is not heard. */
  end(code: number, reason: string): void;
}

/** The reason of our own close after a frame over the limit: with a reason it is not tried again without end. */
export const TOO_LARGE_REASON = `A message from the platform was over ${FRAME_BYTES / 1024 / 1024} MB and could not be read.`;

/** How ws says so: for a frame over the limit, and for one whose length is no number of JavaScript's. */
const TOO_LARGE_CODES: ReadonlySet<string | undefined> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
]);

const OPTIONS = {
  maxPayload: FRAME_BYTES,
  skipUTF8Validation: true,
  // One event in each turn of the event loop: a flood of small frames delays nothing else.
  allowSynchronousEvents: false,
};

/**
 * Opens a WebSocket: pings each 1000 ms from its opening (spec §3.2, §6.2), cuts a peer that is silent for 10 s, and says
 * what happens on it.
 */
export function openSocket({ url, clock, events }: SocketOptions): Socket {
  const socket = new WebSocket(url, OPTIONS);
  const silence = watchSilence(clock, () => socket.terminate());
  const ping = () => {
    if (socket.readyState === WebSocket.OPEN) socket.ping(waking.mark());
  };
  const waking = watchWaking(clock, { ping, cut: () => socket.terminate() });
  let cancelPings: Cancel | undefined;
  let isPaused = false;

  const stop = () => {
    cancelPings?.();
    silence.stop();
    waking.stop();
    socket.removeAllListeners();
    // The close that follows an error drives the change (spec §3.2).
    socket.on('error', () => {});
  };

  // Bytes count, not frames alone: a long frame on a slow line is no silence. Only once it is open: a listener before
  // ws's own would take what came with the handshake.
  socket.on('upgrade', ({ socket: line }) => {
    socket.once('open', () => void line.on('data', silence.heard));
  });
  socket.on('open', () => {
    if (isPaused) socket.pause();
    silence.heard();
    cancelPings = every(clock, PING_INTERVAL_MS, ping);
    events.opened();
  });
  socket.on(
    'pong',
    contained((mark: Buffer) => {
      waking.ponged(mark.toString());
      events.confirmed();
    }),
  );
  tellWhatComes(socket, events, stop);

  return {
    send: (text) => sendOn(socket, text),
    pause() {
      isPaused = true;
      silence.suspend();
      waking.stop();
      socket.pause();
    },
    resume() {
      isPaused = false;
      silence.resume();
      socket.resume();
    },
    onResume() {
      // While nobody reads, no pong would be seen; and a socket that has closed is being replaced.
      if (!isPaused && socket.readyState !== WebSocket.CLOSED) waking.onResume();
    },
    end(code, reason) {
      stop();
      socket.resume();
      socket.close(code, reason);
    },
  };
}

function sendOn(socket: WebSocket, text: string): SendResult {
  if (socket.readyState !== WebSocket.OPEN) return 'closed';
  if (socket.bufferedAmount > OUTGOING_BYTES) return 'full';
  socket.send(text);
  return 'sent';
}

/** A listener whose error does not reach ws, which would read no further frame after it. */
const contained =
  <Arguments extends readonly unknown[]>(listener: (...args: Arguments) => void) =>
  (...args: Arguments): void => {
    try {
      listener(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };

/** Tells frames as they come, and the close; `stop` is called before that. */
function tellWhatComes(socket: WebSocket, events: SocketEvents, stop: () => void): void {
  let reasonOfOurs: string | undefined;
  socket.on(
    'message',
    contained((data: Buffer, isBinary: boolean) => {
      events.frame(isBinary || !isUtf8(data) ? null : data.toString(), data);
    }),
  );
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!TOO_LARGE_CODES.has(error.code)) return;
    reasonOfOurs = TOO_LARGE_REASON;
    events.tooLarge();
  });
  socket.on('close', (code, reason) => {
    stop();
    events.closed({ code, reason: reasonOfOurs ?? reason.toString() });
  });
}
