/** Returns the code of a system error, such as `ENOENT`; `undefined` for other errors. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** Returns the message of an error, whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Prints one line on what is wrong, and ends the process: with 2 for a setting or option, with 1 for anything else. */
export function fail(message: string, exitCode: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
