import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { UsageError } from '../base/errors.ts';
import { STDIN } from './stdin.ts';
import { type FoundCapture, namedByPath } from './walkCaptures.ts';

/**
 * Reads the paths of captures from a file, or with `-` from stdin: one on each line.
 * @throws {UsageError} when the file cannot be read.
 */
export async function* listedCaptures(file: string): AsyncGenerator<FoundCapture, void> {
  const input = file === STDIN ? process.stdin : createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity }))
      if (line.trim() !== '') yield namedByPath(line);
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorReason(error)}`, { cause: error });
  } finally {
    input.destroy();
  }
}
