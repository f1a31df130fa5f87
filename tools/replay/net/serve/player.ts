import type { WebSocket } from 'ws';
import type { FrameRecord } from '#shared/capture/format.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { closeAs } from '../sockets/closeAs.ts';
import type { Comparison } from './comparison.ts';
import { createPace } from './pace.ts';
import type { Position } from './position.ts';
import { type ScriptStep, isClientsClose } from './script.ts';

export interface PlayerOptions {
  readonly position: Position;
  /** Takes the client's frames, and gives them out where the script expects them. */
  readonly comparison: Comparison;
  readonly clock: Clock;
  /** How many times faster than it was recorded; `Infinity` is at once. */
  readonly speed: number;
  /** Hears in a line what happens. */
  readonly say: (line: string) => void;
}

/** Plays the platform's side of a connection to a client. */
export interface Player {
  /** Plays to this client, from where the script stands. */
  begin(socket: WebSocket): void;
  /** Goes on, if something has come that was waited for. */
  goOn(): void;
  stop(): void;
}

/** With more than this on its way the player waits for the line. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Plays the steps of a connection (contract §7):
 *
 *     stopped ── begin ──▶ due ⇄ early: until the step's time
 *        ▲                  │ ⇄ waiting: until the client says what it said here
 *        │                  │ ⇄ full: until the line has taken what was sent
 *        └───── stop ───────┴── the last step ──▶ done
 *
 * Times count from the connection's opening; where the client speaks later than it did, all after it is later too.
 */
export function createPlayer({ position, comparison, clock, speed, say }: PlayerOptions): Player {
  const pace = createPace(clock, speed);
  let client: WebSocket | undefined;
  let cancel: Cancel | undefined;

  const play = () => {
    cancel?.();
    if (client === undefined) return;
    let step = position.step();
    while (step !== undefined) {
      if (!playStep(client, step)) return;
      step = position.step();
    }
    if (client.readyState === client.OPEN) say('has played all; the connection stays open');
  };
  /** `false` when it has to wait; then something calls `play` again. */
  const playStep = (socket: WebSocket, step: ScriptStep): boolean => {
    if (step.type === 'send') return hear(step);
    if (step.type === 'close' && isClientsClose(step)) return false;
    const wait = pace.until(step.t);
    if (wait > 0) {
      cancel = clock.after(wait, play);
      return false;
    }
    position.advance();
    if (step.type !== 'close') return speak(socket, step);
    say(`closes the connection: ${step.code} ${step.reason}`.trim());
    closeAs(socket, step.code, step.reason);
    return false;
  };
  const hear = (step: FrameRecord): boolean => {
    if (!comparison.match(step)) return false;
    position.advance();
    if (pace.until(step.t) < 0) pace.standAt(step.t);
    return true;
  };
  const speak = (socket: WebSocket, { data, encoding }: FrameRecord): boolean => {
    const isBinary = encoding === 'base64';
    const isFull = socket.bufferedAmount > BUFFERED_BYTES;
    const drained = () => {
      if (isFull && client === socket) play();
    };
    socket.send(isBinary ? Buffer.from(data, 'base64') : data, { binary: isBinary }, drained);
    return !isFull;
  };

  return {
    begin(socket) {
      client = socket;
      pace.standAt(position.time());
      play();
    },
    goOn() {
      if (position.step()?.type === 'send') play();
    },
    stop() {
      cancel?.();
      client = undefined;
    },
  };
}
