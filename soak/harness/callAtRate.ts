/** Maximum number of calls in one go after a late timer: the caller must stay responsive. */
const MAX_AT_ONCE = 20;

/**
 * Calls a task at a rate, with the number of the call from 1. A late timer does not delay the calls after it. Returns a
 * function that stops it.
 */
export function callAtRate(perSecond: number, task: (number: number) => void): () => void {
  const start = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    const last = Math.min(due, count + MAX_AT_ONCE);
    while (count < last) task(++count);
  }, 5);
  return () => clearInterval(timer);
}
