import { sinceLaunch } from '#shared/store/queue.ts';
import type { FrameRecord, KnownRecord } from '#shared/capture/captureFormat.ts';
import type { Logger } from '#node/createLogger.ts';
import { messageDropped, messageSent, noticeRaised } from '#shared/actions/mainActions.ts';
import {
  connectionClosed,
  connectionConfirmed,
  connectionOpened,
  frameRejected,
  sessionEnded,
  sessionLaunched,
  timeOfDayRead,
  updateReceived,
} from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/clock.ts';
import { dequeue, emptyFifo, enqueue, type Fifo, oldest } from '#shared/fifo.ts';
import { QUEUE_BYTES } from '#shared/limits.ts';
import { encodeOutgoing, type Outgoing } from '#shared/protocol/outgoing.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import type { CaptureSink, MainStore, Source } from '../store/mainStore.ts';
import { connect, type ConnectionEvents, type Pauser } from './platformConnection.ts';

/** The close reason of the platform for an account that is not valid, or not valid any more (spec §5.1). */
export const UNAUTHORIZED = 'unauthorized';

/** The log messages for a message that was not sent. */
const NOT_SENT = {
  closed: 'not connected: message dropped',
  full: 'the platform does not read: message refused',
} as const;

const NOT_ACCEPTED =
  'Your message was not sent, because the platform accepts none at the moment. Wait a little, then send it again.';

/** The options of `launchSession`. */
export interface SessionOptions {
  /** The account's WebSocket address at the platform. */
  readonly url: string;
  readonly store: MainStore;
  readonly clock: Clock;
  /** Returns the time of day. */
  readonly today: () => Date;
  readonly log: Logger;
  /** Receives every record first; a frame before it is decoded, because the program may not survive the decoding. */
  readonly onRecord: (record: KnownRecord) => void;
  /** Receives every record, a frame together with its decoded update. */
  readonly capture: CaptureSink;
  /** The platform closed with the reason `unauthorized`. */
  readonly onUnauthorized: () => void;
}

/** One signed-in session, from its launch to its end. */
export interface Session {
  /**
   * Sends a message. A message is dropped and logged when the socket is not open (spec §4.2), and refused with a notice to
   * the person when the platform does not read.
   */
  send(outgoing: Outgoing): void;
  /** Connects again after a close that is not retried by itself. */
  reconnect(): void;
  /** Checks the connection at once after the machine was asleep. */
  onResume(): void;
  /** Stops the queue, discards the conversation and closes the connection. Later events are ignored (spec §3.1). */
  end(code: number, reason: string): void;
}

/** Launches a session: dispatches an action for every frame, in the order of arrival. */
export function launchSession(options: SessionOptions): Session {
  const { url, store, clock, today, log, onRecord, capture } = options;
  const launchedAt = clock.now();
  // What is recorded now comes after every update whose tick has passed.
  const now = () => sinceLaunch(store.catchUp(), launchedAt);
  store.dispatch(sessionLaunched({ launchedAt, timeOfDay: today().getTime() }));

  const record = (event: KnownRecord) => {
    onRecord(event);
    capture.record(event);
  };
  const frame = (text: string | null, raw: Buffer) => receive({ options, queueMemory, text, raw, at: now() });
  const events = { ...connectionEvents({ options, now, record }), frame };
  const connection = connect({ url, clock, events });
  const pausedBy = (pauser: Pauser) => ({
    pause: () => connection.pause(pauser),
    resume: () => connection.resume(pauser),
  });
  const queueMemory = limitQueueMemory(store, pausedBy('queue'));
  capture.pauseWhileFull(pausedBy('capture'));

  return {
    send(outgoing) {
      const data = encodeOutgoing(outgoing);
      const result = connection.send(data);
      const { category } = outgoing;
      if (result === 'sent') record({ t: now(), type: 'send', data });
      else log.warn({ category }, NOT_SENT[result]);
      if (result === 'full') store.dispatch(noticeRaised({ text: NOT_ACCEPTED, until: 'shown' }));
      store.dispatch(result === 'sent' ? messageSent({ category }) : messageDropped({ category }));
    },
    reconnect: connection.reconnect,
    onResume() {
      store.dispatch(timeOfDayRead({ sinceLaunch: now(), timeOfDay: today().getTime() }));
      connection.onResume();
    },
    end(code, reason) {
      queueMemory.stop();
      connection.end(code, reason);
      store.dispatch(sessionEnded());
    },
  };
}

interface EventsDeps {
  readonly options: SessionOptions;
  /** Releases the update that is due, and returns the milliseconds since the session's launch. */
  readonly now: () => number;
  readonly record: (event: KnownRecord) => void;
}

/** Returns the listeners of the connection's events, except frames: they record the event and dispatch its action. */
function connectionEvents({ options, now, record }: EventsDeps): Omit<ConnectionEvents, 'frame'> {
  const { store, today, log, onUnauthorized } = options;
  return {
    opened() {
      record({ t: now(), type: 'open' });
      store.dispatch(connectionOpened());
    },
    confirmed() {
      if (store.getState().connection.status !== 'connected') store.dispatch(connectionConfirmed());
    },
    closed({ code, reason }, retryInMs) {
      log.info({ code }, 'connection closed');
      const retry = retryInMs === undefined ? {} : { retryAt: today().getTime() + retryInMs };
      record({ t: now(), type: 'close', code, reason, ...retry });
      store.dispatch(connectionClosed({ code, reason, ...retry }));
      if (reason === UNAUTHORIZED) onUnauthorized();
    },
    tooLarge() {
      log.error('a frame over the socket’s limit came; the connection is closed');
      store.dispatch(frameRejected({ reason: 'tooLarge', bytes: 0 }));
    },
  };
}

interface ReceivedFrame {
  readonly options: SessionOptions;
  readonly queueMemory: ReturnType<typeof limitQueueMemory>;
  readonly text: string | null;
  /** The frame's bytes, before it is decoded. */
  readonly raw: Buffer;
  /** Milliseconds since the session's launch. */
  readonly at: number;
}

/** Decodes a frame, notifies the capture and dispatches the action. */
function receive({ options, queueMemory, text, raw, at }: ReceivedFrame): void {
  const { store, log, onRecord, capture } = options;
  const bytes = raw.byteLength;
  const record = toRecord(text, raw, at);
  onRecord(record);
  const decoded = decodeUpdate(text);
  capture.record(record, decoded);
  if (decoded.kind !== 'rejected') {
    queueMemory.add(estimateMemory(raw, text?.length ?? 0));
    store.dispatch(updateReceived({ update: decoded, at, bytes }));
    return;
  }
  log.warn({ reason: decoded.reason, where: decoded.where, bytes }, 'frame rejected');
  store.dispatch(frameRejected({ reason: decoded.reason, bytes }));
}

/** Returns a received frame as a record of a capture. */
const toRecord = (text: string | null, raw: Buffer, t: number): FrameRecord =>
  text === null
    ? { t, type: 'recv', data: raw.toString('base64'), encoding: 'base64' }
    : { t, type: 'recv', data: text };

/**
 * Pauses the socket when the waiting updates need more than 64 MB of memory, until half of it is released. One update may
 * be larger than the limit: it is received completely, and the socket is paused after it.
 */
function limitQueueMemory(store: MainStore, socket: Source) {
  let sizes: Fifo<number> = emptyFifo();
  let count = 0;
  let held = 0;
  let isPaused = false;

  const stop = store.subscribe(() => {
    // Updates leave the queue in the order of their arrival.
    for (const { length } = store.getState().queue; count > length; count--) {
      held -= oldest(sizes) ?? 0;
      sizes = dequeue(sizes);
    }
    if (!isPaused && held > QUEUE_BYTES) {
      isPaused = true;
      socket.pause();
    } else if (isPaused && held <= QUEUE_BYTES / 2) {
      isPaused = false;
      socket.resume();
    }
  });
  return {
    /** Adds an update that is about to be dispatched; `bytes` is its memory. */
    add(bytes: number): void {
      sizes = enqueue(sizes, bytes);
      count++;
      held += bytes;
    },
    stop,
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The memory of one update with its record in the queue, in bytes. */
const UPDATE_BYTES = 200;

/**
 * The memory of the value that begins at each structural character, in bytes: an object, an array, a further value, a
 * property. The numbers are upper bounds for eleven kinds of frames (the test measures them): from `{}` (160 bytes for 2 on
 * the wire) and arrays of empty objects (21 per byte on the wire) to files (1). The estimate is 0.9 to 5 times the heap size.
 */
const COSTS = new Uint8Array(256);
COSTS[0x7b] = 56; // {
COSTS[0x5b] = 56; // [
COSTS[0x2c] = 32; // ,
COSTS[0x3a] = 96; // :

/**
 * Estimates the memory of a decoded frame, in bytes. Structure needs far more memory than bytes on the wire, so the
 * structural characters outside of strings are counted.
 * @param frame the frame's UTF-8 text
 * @param characters the text's length in UTF-16 units: when it differs from the bytes, V8 may store 2 bytes for each
 */
export function estimateMemory(frame: Uint8Array, characters: number): number {
  let total = UPDATE_BYTES + (frame.length === characters ? characters : 2 * characters);
  for (let i = 0; i < frame.length; i++) {
    const byte = frame[i] ?? 0;
    if (byte === QUOTE) i = closingQuote(frame, i);
    else total += COSTS[byte] ?? 0;
  }
  return total;
}

/** Returns the index of the quote that ends the string at `start`. `indexOf` is native and fast for long strings. */
function closingQuote(frame: Uint8Array, start: number): number {
  for (let end = frame.indexOf(QUOTE, start + 1); end !== -1; end = frame.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (frame[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return frame.length;
}
