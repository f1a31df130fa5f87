/** Prints one line on what is wrong, and ends the process: with 2 for a setting or option, with 1 for anything else. */
export function fail(message: string, exitCode: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}
