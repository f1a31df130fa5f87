/** The options of `expect.poll` and `vi.waitFor`: a long timeout for slow machines, a short interval for fast ones. */
export const POLLING = { interval: 20, timeout: 25_000 } as const;
