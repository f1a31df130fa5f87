import { UsageError } from '../base/errors.ts';
import { findCaptures } from './findCaptures.ts';
import { STDIN } from './stdin.ts';

/**
 * Returns the one capture that an argument selects: a file, a folder or a glob with exactly one capture, or `-` for stdin.
 * @throws {UsageError} when the argument selects several captures, or none.
 */
export async function oneCapture(given: string): Promise<string> {
  if (given === STDIN) return STDIN;
  const [path = given, ...others] = await findCaptures([given]);
  if (others.length > 0)
    throw new UsageError(
      `${given}: contains ${others.length + 1} captures, and this command takes one; name it`,
    );
  return path;
}
