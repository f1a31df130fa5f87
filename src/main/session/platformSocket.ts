import { isUtf8 } from 'node:buffer';
import { WebSocket } from 'ws';
import type { Close } from '#shared/actions/sessionActions.ts';
import { type Cancel, type Clock, every } from '#shared/clock.ts';
import {
  FRAME_BYTES,
  OUTGOING_BYTES,
  PEER_SILENCE_MS,
  PING_INTERVAL_MS,
  RESUME_PONG_MS,
} from '#shared/limits.ts';
import { afterResponsiveTime } from '../base/afterResponsiveTime.ts';

/** The events of a socket, in order. None follows after `end()`. */
export interface SocketEvents {
  opened(): void;
  /** A pong arrived: the platform is reachable. */
  confirmed(): void;
  closed(close: Close): void;
  /** A frame arrived: its text, or `null` when it is not UTF-8 text, and its bytes. */
  frame(text: string | null, bytes: Buffer): void;
  /** A frame over the size limit arrived; the reason of the close that follows says so. */
  tooLarge(): void;
}

/** The options of `openSocket`. */
export interface SocketOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly events: SocketEvents;
}

/** `closed`: the socket is not open (spec §4.2). `full`: the peer reads too slowly, and 32 MB are waiting to be sent. */
export type SendResult = 'sent' | 'closed' | 'full';

/** One WebSocket, from its opening to its close. */
export interface Socket {
  /** Sends a text frame; returns `sent`, or the reason why nothing was sent. */
  send(text: string): SendResult;
  /** Stops reading until `resume`; silence of the peer is not measured while paused. */
  pause(): void;
  resume(): void;
  /** Pings at once after the machine was asleep; terminates the connection without a pong within 1000 ms. */
  onResume(): void;
  /** Closes the socket. Events after `end()` are ignored. */
  end(code: number, reason: string): void;
}

/** The reason of the close after a frame over the limit. A close with a reason is not retried, so it does not loop. */
export const TOO_LARGE_REASON = `A message from the platform was over ${FRAME_BYTES / 1024 / 1024} MB and could not be read.`;

/** The error codes of ws for a frame over the limit, and for a length that JavaScript cannot represent. */
const TOO_LARGE_CODES: ReadonlySet<string | undefined> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
]);

const OPTIONS = {
  maxPayload: FRAME_BYTES,
  skipUTF8Validation: true,
  // One event per turn of the event loop: many small frames do not delay timers and windows.
  allowSynchronousEvents: false,
};

/**
 * Opens a WebSocket. Pings every 1000 ms from its opening (spec §3.2, §6.2), terminates the connection when the peer is
 * silent for 10 s, and reports its events.
 */
export function openSocket({ url, clock, events }: SocketOptions): Socket {
  const socket = new WebSocket(url, OPTIONS);
  const silence = watchSilence(clock, () => socket.terminate());
  const ping = () => {
    if (socket.readyState === WebSocket.OPEN) socket.ping(resumeWatch.mark());
  };
  const resumeWatch = watchResume(clock, { ping, terminate: () => socket.terminate() });
  const reading = createReading(socket, { silence, resumeWatch });
  let cancelPings: Cancel | undefined;

  const stop = () => {
    cancelPings?.();
    silence.stop();
    resumeWatch.stop();
    ignoreEvents(socket);
  };

  reportBytes(socket, silence);
  socket.on('open', () => {
    if (reading.isPaused()) socket.pause();
    silence.onData();
    cancelPings = every(clock, PING_INTERVAL_MS, ping);
    events.opened();
  });
  const ponged = (mark: string) => {
    resumeWatch.onPong(mark);
    events.confirmed();
  };
  forwardEvents(socket, events, { ponged, stop });

  return {
    send: (text) => sendOn(socket, text),
    pause: reading.pause,
    resume: reading.resume,
    onResume() {
      // A paused socket receives no pong; a closed socket is replaced anyway.
      if (!reading.isPaused() && socket.readyState !== WebSocket.CLOSED) resumeWatch.onResume();
    },
    end(code, reason) {
      stop();
      socket.resume();
      socket.close(code, reason);
    },
  };
}

interface Watches {
  readonly silence: ReturnType<typeof watchSilence>;
  readonly resumeWatch: ReturnType<typeof watchResume>;
}

/** Pauses and resumes reading. Nothing is measured while reading is paused. */
function createReading(socket: WebSocket, { silence, resumeWatch }: Watches) {
  let isPaused = false;
  return {
    isPaused: () => isPaused,
    pause(): void {
      isPaused = true;
      silence.suspend();
      resumeWatch.stop();
      socket.pause();
    },
    resume(): void {
      isPaused = false;
      silence.resume();
      socket.resume();
    },
  };
}

/** Removes all listeners and ignores errors: the close that follows changes the state (spec §3.2). */
function ignoreEvents(socket: WebSocket): void {
  socket.removeAllListeners();
  socket.on('error', () => {});
}

/** Reports each arrival of bytes: a long frame on a slow connection is not silence. */
function reportBytes(socket: WebSocket, { onData }: ReturnType<typeof watchSilence>): void {
  socket.on('upgrade', ({ socket: tcpSocket }) => {
    // Added after `open`: before ws's own listener it would consume bytes that arrived with the handshake.
    socket.once('open', () => void tcpSocket.on('data', onData));
  });
}

function sendOn(socket: WebSocket, text: string): SendResult {
  if (socket.readyState !== WebSocket.OPEN) return 'closed';
  if (socket.bufferedAmount > OUTGOING_BYTES) return 'full';
  socket.send(text);
  return 'sent';
}

/** Wraps a listener: its errors are thrown later, because ws would stop reading frames after an error. */
const deferErrors =
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

interface SocketListeners {
  readonly ponged: (mark: string) => void;
  /** Called before the event of the close. */
  readonly stop: () => void;
}

/** Forwards pongs to `ponged`, and frames and the close as events. */
function forwardEvents(socket: WebSocket, events: SocketEvents, { ponged, stop }: SocketListeners): void {
  let ownReason: string | undefined;
  socket.on(
    'pong',
    deferErrors((mark: Buffer) => ponged(mark.toString())),
  );
  socket.on(
    'message',
    deferErrors((data: Buffer, isBinary: boolean) => {
      events.frame(isBinary || !isUtf8(data) ? null : data.toString(), data);
    }),
  );
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!TOO_LARGE_CODES.has(error.code)) return;
    ownReason = TOO_LARGE_REASON;
    events.tooLarge();
  });
  socket.on('close', (code, reason) => {
    stop();
    events.closed({ code, reason: ownReason ?? reason.toString() });
  });
}

/** The end of the 10 s: during this time the program must have been able to read. */
const LAST_MS = 1000;

/**
 * Calls `onSilent` once when no data arrived for 10 s (contract §5). Uses one timer however much data arrives: it
 * checks again when it fires.
 */
export function watchSilence(clock: Clock, onSilent: () => void) {
  let lastDataAt = clock.now();
  let isSuspended = false;

  const check = () => {
    if (isSuspended) lastDataAt = clock.now();
    const left = lastDataAt + PEER_SILENCE_MS - LAST_MS - clock.now();
    if (left > 0) cancel = clock.after(left, check);
    else checkAtEnd(lastDataAt);
  };
  // The last second is measured in responsive time: after a stall the peer's pongs wait to be read.
  const checkAtEnd = (since: number) => {
    cancel = afterResponsiveTime(clock, LAST_MS, () => {
      if (lastDataAt > since || isSuspended) check();
      else onSilent();
    });
  };
  let cancel = clock.after(PEER_SILENCE_MS - LAST_MS, check);

  return {
    /** Data arrived: the time starts again. */
    onData(): void {
      lastDataAt = clock.now();
    },
    /** The socket is paused: silence is not measured until `resume`. */
    suspend(): void {
      isSuspended = true;
    },
    /** The socket is read again: the time starts again. */
    resume(): void {
      isSuspended = false;
      lastDataAt = clock.now();
    },
    stop: (): void => cancel(),
  };
}

interface Peer {
  readonly ping: () => void;
  readonly terminate: () => void;
}

/**
 * Checks a connection after the machine was asleep, because it may look open and be dead: pings at once, and terminates the
 * connection when no pong arrives:
 *
 *     trusted ── onResume: a ping at once ──▶ in doubt ── 1000 ms without its pong ──▶ terminated
 *        ▲                                   │
 *        └────────── its pong ───────────────┘
 *
 * A pong from before the sleep may arrive late, so each check has its own payload.
 */
function watchResume(clock: Clock, { ping, terminate }: Peer) {
  let checks = 0;
  let cancel: Cancel | undefined;
  const mark = () => (checks === 0 ? '' : String(checks));
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    /** Returns the payload of every ping; pongs return it. */
    mark,
    /** The machine resumed from sleep. */
    onResume(): void {
      stop();
      checks++;
      cancel = afterResponsiveTime(clock, RESUME_PONG_MS, terminate);
      ping();
    },
    /** A pong with this payload arrived. */
    onPong(seen: string): void {
      if (seen === mark()) stop();
    },
    stop,
  };
}
