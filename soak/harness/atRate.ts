/** Maximum number of calls at once that make up for late timers: the caller must stay responsive. */
const MOST_AT_ONCE = 20;

/**
 * Calls a task at a rate until the function that it returns is called. A late timer does not shift the calls after it;
 * each call is given its number, from 1.
 */
export function atRate(perSecond: number, task: (number: number) => void): () => void {
  const start = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    const last = Math.min(due, count + MOST_AT_ONCE);
    while (count < last) task(++count);
  }, 5);
  return () => clearInterval(timer);
}
