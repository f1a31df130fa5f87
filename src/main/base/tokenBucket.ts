import type { Clock } from '#shared/clock.ts';

/** Limits a rate: it fills steadily, and everything that is accepted takes its cost from it. */
export interface TokenBucket {
  /** Takes a cost and returns `true`; returns `false`, and takes nothing, while the bucket is empty. One cost may be larger than what is left. */
  take(cost: number): boolean;
  isEmpty(): boolean;
}

/** A limit of a rate, in any unit. */
export interface Rate {
  /** What can be taken at once. */
  readonly burst: number;
  readonly perSecond: number;
}

/** Creates a full bucket. */
export function createTokenBucket({ burst, perSecond }: Rate, clock: Pick<Clock, 'now'>): TokenBucket {
  let level = burst;
  let filledAt = clock.now();
  const isEmpty = () => {
    const now = clock.now();
    level = Math.min(burst, level + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    return level <= 0;
  };
  return {
    isEmpty,
    take(cost) {
      if (isEmpty()) return false;
      level -= cost;
      return true;
    },
  };
}
