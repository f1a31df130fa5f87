import type { Clock } from './clock.ts';

/** The part of `globalThis` that a system clock uses, in Node and in browsers. */
interface TimeSource<Timer> {
  performance: { now(): number };
  setTimeout(task: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** Returns the machine's monotonic clock. Pass `globalThis`. */
export function systemClock<Timer>(source: TimeSource<Timer>): Clock {
  return {
    now: () => source.performance.now(),
    after(ms, task) {
      const timer = source.setTimeout(task, ms);
      return () => source.clearTimeout(timer);
    },
  };
}
