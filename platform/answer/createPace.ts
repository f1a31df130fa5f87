import type { Cancel, Clock } from '#shared/clock.ts';

/**
 * Minimum interval between two frames of an answer: 8 a second. The client releases one update each 100 ms (spec §4.4 item 4), so its queue
 * does not grow.
 */
export const FRAME_INTERVAL_MS = 125;

/** What is left after this time is sent in a hurry: the process can be ending. In milliseconds. */
const FLUSH_MS = 500;

/** Sends frames with an interval between them. */
interface Pace {
  /** Says that there can be a frame to send. The first one is sent at once. */
  schedule(): void;
  /** Sends all frames that are left, at once. */
  flush(): void;
  /** Sends nothing more. */
  stop(): void;
}

interface PaceOptions {
  readonly clock: Clock;
  /** Returns the next frame; `undefined` when there is none. In a hurry, it takes no time. */
  readonly next: (isHurried: boolean) => object | undefined;
  readonly send: (frame: object) => void;
  /** Is called when there is no frame to send. */
  readonly whenIdle: () => void;
}

/** Creates a pace. It asks for a frame only when it can send one, so that a frame has the newest text. */
export function createPace({ clock, next, send, whenIdle }: PaceOptions): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel | undefined;
  let isStopped = false;

  const sendNext = (isHurried: boolean): boolean => {
    if (isStopped) return false;
    const frame = next(isHurried);
    if (frame === undefined) {
      whenIdle();
      return false;
    }
    lastAt = clock.now();
    send(frame);
    return true;
  };
  const schedule = () => {
    if (cancel !== undefined) return;
    const wait = lastAt + FRAME_INTERVAL_MS - clock.now();
    if (wait <= 0 && !sendNext(false)) return;
    cancel = clock.after(wait > 0 ? wait : FRAME_INTERVAL_MS, () => {
      cancel = undefined;
      schedule();
    });
  };
  const cancelTimer = () => {
    cancel?.();
    cancel = undefined;
  };
  return {
    schedule,
    flush() {
      cancelTimer();
      const from = clock.now();
      while (sendNext(clock.now() > from + FLUSH_MS));
    },
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
