import { HTML_SLICE_MS } from '#shared/limits.ts';

/** Work that waits for a later task, the newest last. */
const waiting = new Set<() => void>();
let spentMs = 0;
/** When the running work started; `undefined` when none runs. */
let startedAt: number | undefined;
let isCounting = false;

/** Returns whether the current task has time left for markup. */
export const hasTime = (): boolean =>
  spentMs + (startedAt === undefined ? 0 : performance.now() - startedAt) < HTML_SLICE_MS;

/**
 * Runs work on markup: immediately while the current task has time left, else in a later task, the newest work first. So hundreds of pages
 * that arrive together do not block the window.
 * @returns a function that cancels the work if it has not run.
 */
export function runInSlices(work: () => void): () => void {
  if (hasTime()) spend(work);
  else waiting.add(work);
  return () => waiting.delete(work);
}

function spend(work: () => void): void {
  // Work can run more work: its time is part of the first one's.
  if (startedAt !== undefined) return work();
  startedAt = performance.now();
  try {
    return work();
  } finally {
    spentMs += performance.now() - startedAt;
    startedAt = undefined;
    if (!isCounting) nextTask();
  }
}

function nextTask(): void {
  isCounting = true;
  setTimeout(() => {
    spentMs = 0;
    isCounting = false;
    while (waiting.size > 0 && hasTime()) doNewest();
  });
}

function doNewest(): void {
  const newest = Array.from(waiting).at(-1);
  if (newest === undefined) return;
  waiting.delete(newest);
  spend(newest);
}
