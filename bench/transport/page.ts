import type { Page } from 'playwright-core';

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** Records the durations of long tasks in each document of the page. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** Returns the longest task since the last call, in milliseconds; 0 when none took over 50 ms. */
export const takeLongestTask = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...window.longTasks.splice(0)));

/** Waits until a message is painted. Returns the time, in milliseconds since 1970. */
export const waitForPaint = (page: Page, id: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    while (document.querySelector(`[data-message-id="${wanted}"]`) === null) await frame();
    await frame();
    return Date.now();
  }, id);

/** Scrolls until the first message is painted; rows that are measured move it. Returns the time. */
export async function scrollToFirst(page: Page, id: string): Promise<number> {
  await page.getByRole('log').evaluate(async (log, wanted) => {
    while (document.querySelector(`[data-message-id="${wanted}"]`) === null) {
      log.scrollTo({ top: 0 });
      await new Promise((resolve) => void requestAnimationFrame(resolve));
    }
  }, id);
  return waitForPaint(page, id);
}
