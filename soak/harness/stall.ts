/** An expression that keeps a process busy for that long, as its monotonic clock says. */
export const stall = (ms: number): string =>
  `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;
