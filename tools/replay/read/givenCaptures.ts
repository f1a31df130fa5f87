import { UsageError } from '../base/errors.ts';
import { listedCaptures } from './listedCaptures.ts';
import { refusePipe } from './stdin.ts';
import { type FoundCapture, walkCaptures } from './walkCaptures.ts';

/** How a command names its captures. */
export interface GivenCaptures {
  /** The arguments. */
  readonly given: readonly string[];
  /** A file that lists the captures, instead of arguments. */
  readonly filesFrom?: string;
}

/**
 * Finds the captures of a command that accepts arguments or `--files-from`.
 * @throws {UsageError} when there are both or neither, and for a pipe: a capture is read more than once.
 */
export function givenCaptures({ given, filesFrom }: GivenCaptures): AsyncIterable<FoundCapture> {
  if (filesFrom !== undefined && given.length > 0)
    throw new UsageError('name the captures, or a file that lists them with --files-from; not both');
  if (filesFrom !== undefined) return listedCaptures(filesFrom);
  if (given.length === 0)
    throw new UsageError(
      'name captures: files, folders, globs or s3://bucket/folder; or a file that lists them with --files-from',
    );
  return walkFiles(given);
}

async function* walkFiles(given: readonly string[]): AsyncGenerator<FoundCapture, void> {
  for (const path of given) await refusePipe(path, 'save it to a file and name the file');
  yield* walkCaptures(given);
}

/** Returns the paths of captures. */
export async function* pathsOf(captures: AsyncIterable<FoundCapture>): AsyncGenerator<string, void> {
  for await (const { path } of captures) yield path;
}
