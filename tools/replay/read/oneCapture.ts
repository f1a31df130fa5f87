import { UsageError } from '../base/errors.ts';
import { findCaptures } from './findCaptures.ts';
import { STDIN } from './stdin.ts';

/**
 * The one capture that an argument means, for a command that takes one: a file, a folder or glob with just
 * one in it, or `-` for stdin.
 * @throws {UsageError} when it means several, or none.
 */
export async function oneCapture(given: string): Promise<string> {
  if (given === STDIN) return STDIN;
  const [path = given, ...others] = await findCaptures([given]);
  if (others.length > 0)
    throw new UsageError(
      `${given}: holds ${others.length + 1} captures, and this command takes one; name it`,
    );
  return path;
}
