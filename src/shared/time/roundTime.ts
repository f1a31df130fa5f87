/** Rounds milliseconds to microseconds, the precision of the times in captures. */
export const roundTime = (ms: number): number => Math.round(ms * 1000) / 1000;
