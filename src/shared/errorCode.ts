/** Returns the system's code of an error (`ENOSPC`), or `undefined`. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
