import type { Clock } from '#shared/time/clock.ts';

/** Computes when recorded events are due. */
export interface Pace {
  /** Sets the script's current time. */
  setTime(t: number): void;
  /** Returns the time until `t` is due, milliseconds; 0 or less when it is due. */
  until(t: number): number;
}

/** Relates the script's time to a clock, `speed` times as fast; with `Infinity` everything is due at once. */
export function createPace(clock: Clock, speed: number): Pace {
  let anchor = { t: 0, now: 0 };
  return {
    setTime(t) {
      anchor = { t, now: clock.now() };
    },
    until: (t) => anchor.now + (t - anchor.t) / speed - clock.now(),
  };
}
