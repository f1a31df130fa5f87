/** Returns the stack of an exception, which begins with its name and message. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
