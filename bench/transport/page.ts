import type { Page } from 'playwright-core';

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    longTasks: number[];
    /** From each key press until the frame after it is painted, in milliseconds. */
    keyDelays: number[];
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

/** Records how long each key press takes, in each document of the page: from the press until its frame is painted. */
export async function watchKeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.keyDelays = [];
    const painted = new MessageChannel();
    const pressed: number[] = [];
    // The times of both events are the browser's: `login` advances `performance.now`.
    painted.port1.addEventListener('message', ({ timeStamp }) => {
      window.keyDelays.push(...pressed.splice(0).map((at) => timeStamp - at));
    });
    painted.port1.start();
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        pressed.push(timeStamp);
        // The message arrives after the frame that this callback precedes.
        requestAnimationFrame(() => painted.port2.postMessage(null));
      },
      true,
    );
  });
}

/** Waits until the delays of `count` keys are recorded; returns and removes all recorded delays. */
export const takeKeyDelays = (page: Page, count: number): Promise<number[]> =>
  page.evaluate(async (wanted) => {
    while (window.keyDelays.length < wanted) {
      await new Promise((resolve) => void requestAnimationFrame(resolve));
    }
    return window.keyDelays.splice(0);
  }, count);
