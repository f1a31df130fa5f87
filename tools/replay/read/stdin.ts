import { UsageError } from '../base/errors.ts';

/** The capture argument that means stdin. */
export const STDIN = '-';

/** Returns the name of a capture in messages and documents: its path, or `stdin`. */
export const captureName = (path: string): string => (path === STDIN ? 'stdin' : path);

/**
 * Checks that at most one of the arguments of a command is stdin.
 * @throws {UsageError} when several are.
 */
export function requireOneStdin(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw new UsageError('- (stdin) can be read once; name a file');
}
