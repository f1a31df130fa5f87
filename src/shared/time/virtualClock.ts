import type { Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/** A clock whose time changes only by `advance`. */
export interface VirtualClock extends Clock {
  /** Advances the time by `ms` and runs due tasks, in the order of time and then of scheduling. */
  advance(ms: number): void;
  /** Advances the time by `ms` and runs no task, like a busy program: due tasks run late, with the next `advance`. */
  stall(ms: number): void;
  /** Returns the time of the next task, or `undefined` when none is scheduled. */
  nextDue(): number | undefined;
}

/** Creates a virtual clock for tests and replays. Its time starts at 0. */
export function virtualClock(): VirtualClock {
  let now = 0;
  /** In the order of time, and then of scheduling. */
  let timers: readonly Timer[] = [];

  const firstDue = (until: number) => timers.find(({ due }) => due <= until);
  const drop = (timer: Timer) => {
    timers = timers.filter((other) => other !== timer);
  };

  return {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + Math.max(0, ms), task };
      timers = [...timers, timer].sort((a, b) => a.due - b.due);
      return () => drop(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = firstDue(end); timer; timer = firstDue(end)) {
        now = Math.max(now, timer.due);
        drop(timer);
        timer.task();
      }
      now = Math.max(now, end);
    },
    stall(ms) {
      now += ms;
    },
    nextDue: () => firstDue(Number.POSITIVE_INFINITY)?.due,
  };
}
