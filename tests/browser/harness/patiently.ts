/** How `expect.poll` waits in these tests: on a slow machine too, and not longer than needed on a fast one. */
export const PATIENTLY = { interval: 20, timeout: 15_000 } as const;
