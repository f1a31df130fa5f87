import { bySecond } from './series.ts';

/** Measures how many updates wait. The changes must come in order of time. */
export function watchQueue(limit: number) {
  const seconds = bySecond(Math.max);
  const delays: number[] = [];
  let depth = 0;
  let changedAt = 0;
  let highest = { depth: 0, atMs: 0 };
  let overMs = 0;
  const change = (by: 1 | -1, ms: number) => {
    if (depth > limit) overMs += ms - changedAt;
    depth += by;
    changedAt = ms;
    seconds.add(ms, depth);
    if (depth > highest.depth) highest = { depth, atMs: ms };
  };
  return {
    received: (ms: number) => change(1, ms),
    released(tick: number, receivedAt: number) {
      delays.push(tick - receivedAt);
      change(-1, tick);
    },
    /** The maximum depth and its time, and for how long more updates than the limit waited. */
    depth: () => ({ max: highest.depth, maxAtMs: highest.atMs, over: limit, overMs }),
    /** The times that updates waited for their tick. */
    delays: () => percentiles(delays),
    seconds,
  };
}

function percentiles(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  /** Returns the smallest value that this share of all values does not exceed; 0 without values. */
  const at = (share: number) => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Rounds milliseconds to microseconds: the further digits of sums of fractions have no meaning. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
