import { stat } from 'node:fs/promises';

/** Large enough that a task is worth a thread, and small enough that there are tasks for all threads. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_FILES = 64;

/** Splits captures into batches of about the same size, in order. A missing file has size 0. */
export async function inBatches(captures: readonly string[]): Promise<string[][]> {
  const sizes = await Promise.all(captures.map(sizeOf));
  const batches: string[][] = [];
  let bytes = Infinity;
  captures.forEach((capture, i) => {
    const batch = batches.at(-1);
    if (batch === undefined || bytes >= BATCH_BYTES || batch.length >= BATCH_FILES) {
      batches.push([capture]);
      bytes = 0;
    } else batch.push(capture);
    bytes += sizes[i] ?? 0;
  });
  return batches;
}

const sizeOf = async (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
