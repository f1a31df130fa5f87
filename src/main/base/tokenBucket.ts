import type { Clock } from '#shared/clock.ts';

/** A limit of a rate, in any unit. */
interface Rate {
  /** What can be taken at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Limits a rate: it fills steadily, and everything that is accepted takes its cost from it. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Creates a full bucket. */
export function createTokenBucket({ burst, perSecond }: Rate, clock: Pick<Clock, 'now'>) {
  let level = burst;
  let filledAt = clock.now();
  const isEmpty = (): boolean => {
    const now = clock.now();
    level = Math.min(burst, level + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    return level <= 0;
  };
  return {
    isEmpty,
    /** Takes a cost and returns `true`; returns `false`, and takes nothing, while the bucket is empty. One cost may be larger than what is left. */
    take(cost: number): boolean {
      if (isEmpty()) return false;
      level -= cost;
      return true;
    },
  };
}

interface Options {
  readonly rate: Rate;
  /** Maximum number of tasks that wait. */
  readonly waiting: number;
  readonly clock: Clock;
  /** Runs a task after other work of this process. */
  readonly defer?: (task: () => void) => void;
}

/** Interval after which an empty bucket is checked again, in milliseconds. */
const CHECK_MS = 50;

/**
 * Creates the tasks that one page requests, so that main stays free for others. One runs at a time, and other work of main runs before the next one. When they exceed the rate, they wait.
 *
 *     idle ── run: performed ──▶ paused ── run: waits, or is refused ──▶ paused
 *      ▲                          │  ▲
 *      └──── none waits ──────────┤  └── one waits: performed, unless the rate is exceeded
 */
export function createPacedTasks({ rate, waiting: maxWaiting, clock, defer = setImmediate }: Options) {
  const bucket = createTokenBucket(rate, clock);
  const waiting: (() => number)[] = [];
  let isPaused = false;

  const next = () => {
    isPaused = waiting.length > 0;
    if (!isPaused) return;
    if (bucket.isEmpty()) clock.after(CHECK_MS, next);
    else {
      defer(next);
      bucket.take(waiting.shift()?.() ?? 0);
    }
  };
  return {
    /**
     * Runs a task now or later. It returns its cost, of which `rate` has the unit.
     * @returns `false`: too many wait, and the task will not run.
     */
    run(task: () => number): boolean {
      if (isPaused && waiting.length >= maxWaiting) return false;
      waiting.push(task);
      if (!isPaused) next();
      return true;
    },
  };
}

/** Returns a function that returns the value of an object, which is created when it is first needed. */
export function perObject<V>(create: () => V): (object: object) => V {
  const values = new WeakMap<object, V>();
  return (object) => {
    const value = values.get(object) ?? create();
    values.set(object, value);
    return value;
  };
}
