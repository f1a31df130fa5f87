import { stat } from 'node:fs/promises';
import { systemClock } from '#shared/time/systemClock.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';

/** Shows on a terminal how much of a file has been read. */
interface FileProgress {
  onRead(bytes: number): void;
  /** Removes the line; must also be called when reading fails. */
  end(): void;
}

/** Creates the progress of reading a file. */
export async function fileProgress(output: Output, path: string): Promise<FileProgress> {
  // The reader reports a file that cannot be read.
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  const progress = createProgress(output, systemClock(globalThis), 'reading');
  return { onRead: (bytes) => progress.at(bytes, size), end: () => progress.end() };
}
