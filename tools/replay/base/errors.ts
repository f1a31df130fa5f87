/** Bad usage. `message` is one line that says what the argument takes. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit statuses (contract §7): success; a session diverged or a check failed; bad usage or input. */
export const EXIT = { fine: 0, failed: 1, unusable: 2 } as const;

/** The tool's exit status. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];
