import { UsageError } from '../base/errors.ts';
import { findCaptures } from './findCaptures.ts';
import { STDIN, refusePipe } from './stdin.ts';

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

/**
 * Returns the one capture that an argument selects, for a command that reads it more than once.
 * @throws {UsageError} as `oneCapture` does, and for a pipe, which can be read once. Stdin is accepted: the command keeps its content.
 */
export async function rereadCapture(given: string): Promise<string> {
  const path = await oneCapture(given);
  if (path !== STDIN) await refusePipe(path, 'give it on stdin and name - as the capture');
  return path;
}
