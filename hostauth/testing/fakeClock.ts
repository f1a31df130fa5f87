import type { Clock } from '../base/clock.ts';

/** A clock that a test controls. */
export interface FakeClock extends Clock {
  /** Advances the time, and runs the timers that become due. */
  advance(ms: number): void;
  /** The remaining times of the timers in milliseconds, shortest first. */
  readonly waits: readonly number[];
}

interface Timer {
  readonly due: number;
  readonly call: () => void;
}

/** Creates a clock. @param wall the wall clock's time when the monotonic clock is at 0. */
export function fakeClock(wall = Date.UTC(2026, 0, 1)): FakeClock {
  let now = 0;
  const timers = new Set<Timer>();
  const next = (until: number) =>
    [...timers].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due)[0];
  return {
    monotonic: () => now,
    wall: () => wall + now,
    after(ms, call) {
      const timer = { due: now + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.call();
      }
      now = until;
    },
    get waits() {
      return [...timers].map(({ due }) => due - now).toSorted((a, b) => a - b);
    },
  };
}
