import type { Clock } from './clock.ts';

/** The part of `globalThis` that a system clock reads; Node and browsers both have it. */
interface TimeSource<Timer> {
  performance: { now(): number };
  setTimeout(task: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** The machine's monotonic clock. Pass `globalThis`. */
export function systemClock<Timer>(source: TimeSource<Timer>): Clock {
  return {
    now: () => source.performance.now(),
    after(ms, task) {
      const timer = source.setTimeout(task, ms);
      return () => source.clearTimeout(timer);
    },
  };
}
