import type { Page } from 'playwright-core';

// What runs in the page can reach nothing outside of itself.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    longTasks: number[];
  }
}

/** Makes each document of the page keep the durations of its long tasks. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** The longest task since the last call, in milliseconds; 0 when none was over the 50 that count as long. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...window.longTasks.splice(0)));

/** Resolves when a message is painted; gives when, in milliseconds since 1970. */
export const painted = (page: Page, id: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    while (document.querySelector(`[data-message-id="${wanted}"]`) === null) await frame();
    await frame();
    return Date.now();
  }, id);

/** Scrolls to the first message, as often as rows that are being measured push it away; gives when it is painted. */
export async function scrolledToFirst(page: Page, id: string): Promise<number> {
  await page.getByRole('log').evaluate(async (log, wanted) => {
    while (document.querySelector(`[data-message-id="${wanted}"]`) === null) {
      log.scrollTo({ top: 0 });
      await new Promise((resolve) => void requestAnimationFrame(resolve));
    }
  }, id);
  return painted(page, id);
}
