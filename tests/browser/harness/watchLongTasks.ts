import type { Page } from 'playwright-core';

/**
 * A task that is longer, in milliseconds, does work at once that should be done in steps. Each step takes under 200 ms on a machine that does
 * nothing else; tests run beside other programs.
 */
export const BLOCKING_MS = 1000;

/** Returns a function that returns the duration of the longest task of the page since this call, in milliseconds; 0 when none took 50 ms. */
export async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const durations: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration);
    });
    observer.observe({ type: 'longtask' });
    Reflect.set(window, 'testLongTasks', durations);
  });
  return () =>
    page.evaluate(async () => {
      // The observer is called in a task of its own.
      await new Promise(requestAnimationFrame);
      await new Promise((done) => {
        setTimeout(done);
      });
      const durations: unknown = Reflect.get(window, 'testLongTasks');
      return Array.isArray(durations) ? Math.max(0, ...durations) : 0;
    });
}
