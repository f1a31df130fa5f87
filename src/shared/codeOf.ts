/** The system's code of an error (`ENOSPC`), or `undefined`. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
