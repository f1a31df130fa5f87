/** The system's name of a failure, such as `ENOSPC`; never its message, which may hold what was being handled. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
