import type { Cancel } from '#shared/clock.ts';
import type { Close } from '#shared/actions/sessionActions.ts';
import { RECONNECT_DELAY_MS } from '#shared/limits.ts';
import {
  type SendResult,
  type Socket,
  type SocketEvents,
  type SocketOptions,
  openSocket,
} from './platformSocket.ts';

/** What can take no more: the queue of updates, or the file of the capture. */
export type Pauser = 'queue' | 'capture';

/** One account's connection to the platform. */
export interface Connection {
  /** Sends a text frame; returns `sent`, or the reason why nothing was sent. */
  send(text: string): SendResult;
  /** Stops reading until all pausers have resumed; silence of the peer is not measured while paused. */
  pause(pauser: Pauser): void;
  resume(pauser: Pauser): void;
  /** Connects again after a close that is not retried by itself; does nothing otherwise. */
  reconnect(): void;
  /**
   * Checks the connection after the machine was asleep. Within 1500 ms the connection is known to work, or a new one is
   * being opened.
   */
  onResume(): void;
  /** Closes for good. Events after `end()` are ignored. */
  end(code: number, reason: string): void;
}

/** The events of a connection. */
export interface ConnectionEvents extends Omit<SocketEvents, 'closed'> {
  /** @param retryInMs the delay before the next attempt; `undefined` when there is none until the person requests it. */
  closed(close: Close, retryInMs: number | undefined): void;
}

interface ConnectionOptions extends Omit<SocketOptions, 'events'> {
  readonly events: ConnectionEvents;
}

/**
 * Keeps one account's WebSocket connected (spec §3.2):
 *
 *     connecting ── open ──▶ open: a ping each 1000 ms, the first after 1000 ms
 *      ▲      │               │ close, or 10 s of silence (a close with an empty reason)
 *      │      └─── close ───▶ closed
 *      │  500 ms, empty reason │ any other reason
 *      ├───────────────────────┤
 *      └────── reconnect() ────┴──▶ stopped            end(), from any state ──▶ ended: events are ignored
 */
export function connect({ url, clock, events }: ConnectionOptions): Connection {
  let state: 'trying' | 'stopped' | 'ended' = 'trying';
  const pausers = new Set<Pauser>();
  let socket: Socket;
  let cancelRetry: Cancel | undefined;

  const closed = (close: Close) => {
    const isRetried = close.reason === '';
    events.closed(close, isRetried ? RECONNECT_DELAY_MS : undefined);
    // A listener of the close may have ended the connection.
    if (state === 'ended') return;
    if (isRetried) cancelRetry = clock.after(RECONNECT_DELAY_MS, open);
    else state = 'stopped';
  };
  const open = () => {
    state = 'trying';
    socket = openSocket({ url, clock, events: { ...events, closed } });
    if (pausers.size > 0) socket.pause();
  };
  open();

  return {
    send: (text) => (state === 'trying' ? socket.send(text) : 'closed'),
    pause(pauser) {
      pausers.add(pauser);
      socket.pause();
    },
    resume(pauser) {
      if (pausers.delete(pauser) && pausers.size === 0) socket.resume();
    },
    reconnect() {
      if (state === 'stopped') open();
    },
    onResume() {
      if (state === 'trying') socket.onResume();
    },
    end(code, reason) {
      if (state === 'ended') return;
      state = 'ended';
      cancelRetry?.();
      socket.end(code, reason);
    },
  };
}
