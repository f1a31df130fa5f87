import { stat } from 'node:fs/promises';
import { systemClock } from '#shared/time/systemClock.ts';
import type { Output } from './output.ts';
import { createProgress } from './progress.ts';

/** Says on a terminal how much of a file has been read. */
export interface FileProgress {
  onRead(bytes: number): void;
  /** Takes the line away, also when reading failed. */
  end(): void;
}

export async function fileProgress(output: Output, path: string): Promise<FileProgress> {
  // A file that cannot be looked at is named by whoever reads it.
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  const progress = createProgress(output, systemClock(globalThis), 'reading');
  return { onRead: (bytes) => progress.at(bytes, size), end: () => progress.end() };
}
