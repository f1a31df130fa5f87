import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { UsageError } from '../base/errors.ts';
import { fileStream } from '#files/fileStream.ts';
import { STDIN, captureName } from './stdin.ts';
import { type FoundCapture, STDIN_REFUSED, namedByPath } from './walkCaptures.ts';
import { withoutByteOrderMark } from './withoutByteOrderMark.ts';

/**
 * Reads the paths of captures from a file, or with `-` from stdin: one on each line.
 * @throws {UsageError} when the file cannot be read or lists no captures, and for stdin as a capture.
 */
export async function* listedCaptures(file: string): AsyncGenerator<FoundCapture, void> {
  let input: Readable | undefined;
  let count = 0;
  try {
    input = file === STDIN ? process.stdin : fileStream(file);
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const path = withoutByteOrderMark(line);
      if (path.trim() === '') continue;
      if (path === STDIN) throw new UsageError(STDIN_REFUSED);
      count++;
      yield namedByPath(path);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file}: ${readErrorReason(error)}`, { cause: error });
  } finally {
    input?.destroy();
  }
  if (count === 0) throw new UsageError(`${captureName(file)}: lists no captures`);
}
