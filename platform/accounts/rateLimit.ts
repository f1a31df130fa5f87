import type { Clock } from '#shared/time/clock.ts';

/** Number of keys after which those that were not used for a whole window are forgotten. */
const REMEMBERED = 1000;

/** Limits how often each key may do something. */
interface RateLimit {
  /** Counts one time; returns 0, or how long the key must wait when it may not do it, in milliseconds. */
  take(key: string): number;
}

/** Creates the limit, in memory: any time of `windowMs` contains at most `max` times of a key. */
export function createRateLimit(
  clock: Clock,
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
): RateLimit {
  /** The last times of each key, oldest first. */
  const sent = new Map<string, number[]>();

  const forgetOld = (since: number) => {
    if (sent.size < REMEMBERED) return;
    for (const [key, times] of sent) if ((times.at(-1) ?? 0) <= since) sent.delete(key);
  };

  return {
    take(key) {
      const now = clock.now();
      forgetOld(now - windowMs);
      const times = (sent.get(key) ?? []).filter((time) => time > now - windowMs);
      sent.set(key, times);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= max) return oldest + windowMs - now;
      times.push(now);
      return 0;
    },
  };
}
