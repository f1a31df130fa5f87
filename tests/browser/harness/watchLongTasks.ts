import type { Page } from 'playwright-core';

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
    page.evaluate(() => {
      const durations: unknown = Reflect.get(window, 'testLongTasks');
      return Array.isArray(durations) ? Math.max(0, ...durations) : 0;
    });
}
