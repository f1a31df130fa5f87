import type { Cancel, Clock } from '#shared/time/clock.ts';

/** A timer that runs while nothing happens. */
export interface IdleTimer {
  /** Starts it again. */
  touch(): void;
  stop(): void;
}

/** Starts a timer that calls `onIdle` when it was not touched for `ms`. */
export function startIdleTimer(clock: Clock, ms: number, onIdle: () => void): IdleTimer {
  let cancel: Cancel = clock.after(ms, onIdle);
  return {
    touch() {
      cancel();
      cancel = clock.after(ms, onIdle);
    },
    stop: () => cancel(),
  };
}
