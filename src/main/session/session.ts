import type { FrameRecord, KnownRecord } from '#shared/capture/format.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { type Outgoing, encodeOutgoing } from '#shared/protocol/outgoing.ts';
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
import { messageDropped, messageSent, noticeRaised } from '#shared/actions/mainActions.ts';
import { sinceLaunch } from '#shared/store/ticks.ts';
import type { Clock } from '#shared/clock.ts';
import type { CaptureSink } from '../store/captureSink.ts';
import type { Logger } from '#node/createLogger.ts';
import type { MainStore } from '../store/mainStore.ts';
import { type ConnectionEvents, type Pauser, connect } from './connection.ts';
import { estimateMemory } from './estimateMemory.ts';
import { type QueueMemory, limitQueueMemory } from './limitQueueMemory.ts';

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
  readonly queueMemory: QueueMemory;
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
