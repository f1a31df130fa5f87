import type { Cancel, Clock } from '#shared/clock.ts';

/**
 * Minimum interval between two frames of an answer: 8 a second. The client releases one update each 100 ms (spec §4.4 item 4), so its queue
 * does not grow.
 */
export const FRAME_INTERVAL_MS = 125;

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
  /** The pause before the first frame, in milliseconds. */
  readonly delayMs: number;
  /** Returns the next frame; `undefined` when there is none. In a hurry, there are as few as possible. */
  readonly next: (isHurried: boolean) => object | undefined;
  readonly send: (frame: object) => void;
  /** Is called when there is no frame to send. */
  readonly whenIdle: () => void;
}

/** Creates a pace. It asks for a frame only when it can send one, so that a frame has the newest text. */
export function createPace({ clock, delayMs, next, send, whenIdle }: PaceOptions): Pace {
  let dueAt = clock.now() + delayMs;
  let cancel: Cancel | undefined;
  let isStopped = false;

  const sendNext = (isHurried: boolean): boolean => {
    if (isStopped) return false;
    const frame = next(isHurried);
    if (frame === undefined) {
      whenIdle();
      return false;
    }
    dueAt = clock.now() + FRAME_INTERVAL_MS;
    send(frame);
    return true;
  };
  const schedule = () => {
    if (cancel !== undefined) return;
    if (dueAt <= clock.now() && !sendNext(false)) return;
    cancel = clock.after(dueAt - clock.now(), () => {
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
      while (sendNext(true));
    },
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
