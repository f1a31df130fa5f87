/** Returns the system's error code (`ENOSPC`), or `undefined` when the error has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
