import type { Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** Moves on by `ms`, running what falls due on the way, in order of time, then of scheduling. */
  advance(ms: number): void;
  /** When the next task falls due, or `undefined`. */
  nextDue(): number | undefined;
}

/** Starts at 0. The tests' clock and the replay's. */
export function virtualClock(): VirtualClock {
  let now = 0;
  let timers: readonly Timer[] = [];

  const firstDue = (until: number) =>
    timers.reduce<Timer | undefined>(
      (first, timer) => (timer.due <= until && (!first || timer.due < first.due) ? timer : first),
      undefined,
    );
  const drop = (timer: Timer) => {
    timers = timers.filter((other) => other !== timer);
  };

  return {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + Math.max(0, ms), task };
      timers = [...timers, timer];
      return () => drop(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = firstDue(end); timer; timer = firstDue(end)) {
        now = timer.due;
        drop(timer);
        timer.task();
      }
      now = end;
    },
    nextDue: () => firstDue(Number.POSITIVE_INFINITY)?.due,
  };
}
