/** Cancels a scheduled task; does nothing once the task has run. */
export type Cancel = () => void;

/** A source of time. Code that waits gets its clock as an argument, so that tests and replays can use a virtual clock. */
export interface Clock {
  /** Returns monotonic milliseconds. Only differences are meaningful. */
  now(): number;
  /** Runs `task` once after `ms`; returns a function that cancels it. */
  after(ms: number, task: () => void): Cancel;
}

/** Runs `task` every `ms` until cancelled. A late run delays the following ones: there are no bursts. */
export function every(clock: Clock, ms: number, task: () => void): Cancel {
  const next = (): Cancel =>
    clock.after(ms, () => {
      cancel = next();
      task();
    });
  let cancel = next();
  return () => cancel();
}

/** Rounds milliseconds to microseconds, the precision of the times in captures. */
export const roundTime = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The part of `globalThis` that a system clock uses, in Node and in browsers. */
interface TimeSource<Handle> {
  performance: { now(): number };
  setTimeout(task: () => void, ms: number): Handle;
  clearTimeout(timer: Handle): void;
}

/** Returns the machine's monotonic clock. Pass `globalThis`. */
export function systemClock<Handle>(source: TimeSource<Handle>): Clock {
  return {
    now: () => source.performance.now(),
    after(ms, task) {
      const timer = source.setTimeout(task, ms);
      return () => source.clearTimeout(timer);
    },
  };
}

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
