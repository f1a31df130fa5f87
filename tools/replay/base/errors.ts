/** Bad usage. `message` is one line that says what the argument takes. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit statuses (contract §7): success; a session diverged or a check failed; bad usage or input. */
export const EXIT = { fine: 0, failed: 1, unusable: 2 } as const;

/** An exit status: one of {@link EXIT}, or that of a command with a verdict after SIGINT (130) or SIGTERM (143). */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT] | 130 | 143;
