/** How `expect.poll` and `vi.waitFor` wait in tests: on a slow machine too, and no longer than needed on a fast one. */
export const PATIENTLY = { interval: 20, timeout: 15_000 } as const;
