import { bySecond } from './series.ts';

/** Watches how many updates wait, from change to change; the changes come in order of time. */
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
    /** How deep it was at most and when, and for how long there were more than the limit. */
    depth: () => ({ max: highest.depth, maxAtMs: highest.atMs, over: limit, overMs }),
    /** How long updates waited for their tick. */
    delays: () => percentiles(delays),
    seconds,
  };
}

function percentiles(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  /** The smallest value that this share of all do not exceed; 0 of none. */
  const at = (share: number) => rounded(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** Milliseconds to the microsecond: sums of fractions have a tail of digits that mean nothing. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
