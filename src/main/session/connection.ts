import { RECONNECT_DELAY_MS } from '#shared/limits.ts';
import type { Close } from '#shared/store/connection.ts';
import type { Cancel } from '#shared/time/clock.ts';
import { type SendResult, type Socket, type SocketOptions, openSocket } from './socket.ts';

export interface Connection {
  /** Sends a text frame, or says why not: then nothing was sent. */
  send(text: string): SendResult;
  /** Reads no more until `resume`; the peer's silence does not count meanwhile. */
  pause(): void;
  resume(): void;
  /** Connects again after a close that is not followed by another try; nothing otherwise. */
  reconnect(): void;
  /**
   * The machine was asleep, and the peer may be gone unheard. Within 1500 ms the connection is known to be good, or a new
   * one is being opened.
   */
  onResume(): void;
  /** Closes for good. Whatever the peer still says or echoes is not heard. */
  end(code: number, reason: string): void;
}

/**
 * Keeps one account's WebSocket connected (spec §3.2):
 *
 *     connecting ── open ──▶ open: a ping each 1000 ms, the first after 1000 ms
 *      ▲      │               │ close, or 10 s of silence (a close with an empty reason)
 *      │      └─── close ───▶ closed
 *      │  500 ms, empty reason │ any other reason
 *      ├───────────────────────┤
 *      └────── reconnect() ────┴──▶ stopped            end(), from anywhere ──▶ ended, and deaf
 */
export function connect({ url, clock, events }: SocketOptions): Connection {
  let state: 'trying' | 'stopped' | 'ended' = 'trying';
  let isPaused = false;
  let socket: Socket;
  let cancelRetry: Cancel | undefined;

  const closed = (close: Close) => {
    events.closed(close);
    // What hears of a close may end the connection.
    if (state === 'ended') return;
    if (close.reason === '') cancelRetry = clock.after(RECONNECT_DELAY_MS, open);
    else state = 'stopped';
  };
  const open = () => {
    state = 'trying';
    socket = openSocket({ url, clock, events: { ...events, closed } });
    if (isPaused) socket.pause();
  };
  open();

  return {
    send: (text) => (state === 'trying' ? socket.send(text) : 'closed'),
    pause() {
      isPaused = true;
      socket.pause();
    },
    resume() {
      isPaused = false;
      socket.resume();
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
