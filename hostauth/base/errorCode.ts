/** Returns the code of a system error, such as `ENOENT`; `undefined` for other errors. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
