import type { Page } from 'playwright-core';

/** Records the page's long tasks (those over 50 ms) from now on. */
export const watchLongTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
  });

/** Returns the duration of the longest task, in milliseconds; 0 when none was over 50 ms. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    // The observer is called in a task of its own.
    await new Promise(requestAnimationFrame);
    await new Promise((done) => {
      setTimeout(done);
    });
    const tasks: unknown = Reflect.get(window, 'longTasks');
    return Math.max(0, ...(Array.isArray(tasks) ? tasks.map(Number) : []));
  });
