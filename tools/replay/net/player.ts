import type { WebSocket } from 'ws';
import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { closeAs } from './sockets.ts';
import type { Comparison } from './comparison.ts';
import { type Position, type ScriptStep, isClientsClose } from './script.ts';

/** The options of `createPlayer`. */
interface PlayerOptions {
  readonly position: Position;
  /** Compares the client's frames where the script expects them. */
  readonly comparison: Comparison;
  readonly clock: Clock;
  /** The factor of the recorded speed; `Infinity` sends at once. */
  readonly speed: number;
  /** Reports events, one line each. */
  readonly print: (line: string) => void;
}

/** Plays the platform's side of a connection to a client. */
interface Player {
  /** Plays to this client, from the current position. */
  begin(socket: WebSocket): void;
  /** Continues when the awaited frame has arrived. */
  resume(): void;
  stop(): void;
}

/** While more than this is buffered, the player waits for the socket. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Plays the steps of a connection (contract §7):
 *
 *     stopped ── begin ──▶ due ⇄ early: until the step's time
 *        ▲                  │ ⇄ waiting: until the client sends its recorded frame
 *        │                  │ ⇄ full: until the socket's buffer is empty
 *        └───── stop ───────┴── the last step ──▶ done
 *
 * Times count from the opening of the connection. When the client sends a frame later than recorded, everything after it is
 * later too.
 */
export function createPlayer({ position, comparison, clock, speed, print }: PlayerOptions): Player {
  const pace = createPace(clock, speed);
  let client: WebSocket | undefined;
  let cancel: Cancel | undefined;

  const play = () => {
    cancel?.();
    if (client === undefined) return;
    for (let step = position.step(); step !== undefined; step = position.step()) {
      if (!playStep(client, step)) return;
    }
    if (client.readyState === client.OPEN) print('has played everything; the connection stays open');
  };
  /** Returns `false` when it has to wait; then a later event calls `play` again. */
  const playStep = (socket: WebSocket, step: ScriptStep): boolean => {
    if (step.type === 'send') return matchClient(step);
    if (step.type === 'close' && isClientsClose(step)) return false;
    const wait = pace.until(step.t);
    if (wait > 0) {
      cancel = clock.after(wait, play);
      return false;
    }
    position.advance();
    if (step.type !== 'close') return sendFrame(socket, step, () => client === socket && play());
    print(`closes the connection: ${step.code} ${step.reason}`.trim());
    closeAs(socket, step.code, step.reason);
    return false;
  };
  const matchClient = (step: FrameRecord): boolean => {
    if (!comparison.match(step)) return false;
    position.advance();
    if (pace.until(step.t) < 0) pace.setTime(step.t);
    return true;
  };
  return {
    begin(socket) {
      client = socket;
      pace.setTime(position.time());
      play();
    },
    resume() {
      if (position.step()?.type === 'send') play();
    },
    stop() {
      cancel?.();
      client = undefined;
    },
  };
}

/** Sends a frame. Returns `false` when the buffer is full; then `onDrained` is called when the socket has taken the frame. */
function sendFrame(socket: WebSocket, { data, encoding }: FrameRecord, onDrained: () => void): boolean {
  const isBinary = encoding === 'base64';
  const isFull = socket.bufferedAmount > BUFFERED_BYTES;
  const onSent = () => isFull && onDrained();
  socket.send(isBinary ? Buffer.from(data, 'base64') : data, { binary: isBinary }, onSent);
  return !isFull;
}

/** Computes when recorded events are due. */
interface Pace {
  /** Sets the script's current time. */
  setTime(t: number): void;
  /** Returns the time until `t` is due, milliseconds; 0 or less when it is due. */
  until(t: number): number;
}

/** Relates the script's time to a clock, `speed` times as fast; with `Infinity` everything is due at once. */
function createPace(clock: Clock, speed: number): Pace {
  let anchor = { t: 0, now: 0 };
  return {
    setTime(t) {
      anchor = { t, now: clock.now() };
    },
    until: (t) => anchor.now + (t - anchor.t) / speed - clock.now(),
  };
}
