import type { Clock } from '#shared/time/clock.ts';

/** When what was recorded is due now. */
export interface Pace {
  /** The script stands at `t` now. */
  standAt(t: number): void;
  /** How long until `t` is due, milliseconds; 0 or less when it is. */
  until(t: number): number;
}

/** The script's time against a clock's, `speed` times as fast; `Infinity` has all due at once. */
export function createPace(clock: Clock, speed: number): Pace {
  let anchor = { t: 0, now: 0 };
  return {
    standAt(t) {
      anchor = { t, now: clock.now() };
    },
    until: (t) => anchor.now + (t - anchor.t) / speed - clock.now(),
  };
}
