/** Length of the sources that one task parses and draws, in UTF-16 units: one takes about 20 ms. */
const TASK_LENGTH = 8000;

/** What the current task may still draw. */
let left = TASK_LENGTH;
let isCounting = false;
/** What waits for a later task, the newest last. */
const waiting = new Set<() => void>();

/** Takes a part of what the current task may draw, for all answers together; returns its length, in UTF-16 units. */
export function takeLength(wanted: number): number {
  const taken = Math.min(wanted, left);
  left -= taken;
  if (taken > 0) countNextTask();
  return taken;
}

/** Calls a function in a later task that may draw more, the newest first; returns a function that cancels this. */
export function waitForLength(draw: () => void): () => void {
  waiting.add(draw);
  countNextTask();
  return () => waiting.delete(draw);
}

function countNextTask(): void {
  if (isCounting) return;
  isCounting = true;
  setTimeout(() => {
    isCounting = false;
    left = TASK_LENGTH;
    const newest = Array.from(waiting).at(-1);
    if (newest === undefined) return;
    waiting.delete(newest);
    newest();
    if (waiting.size > 0) countNextTask();
  });
}
