import { type Page } from 'playwright-core';

/** Resolves when a page has drawn a frame. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/** Resizes a page; resolves when it is rendered in its new size. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await nextFrame(page);
}

/** Returns the elements of a selector that end more than `tolerance` pixels beyond the right edge of the window. */
export const overflowingElements = (page: Page, selector: string, tolerance = 0): Promise<string[]> =>
  page.evaluate(
    ([selected, pixels]) =>
      Array.from(document.querySelectorAll(selected))
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + pixels)
        .map((one) => one.outerHTML.slice(0, 100)),
    [selector, tolerance] as const,
  );

/** Returns the distance of the view from the bottom, in pixels. */
export const aboveBottom = (page: Page): Promise<number> =>
  page
    .getByRole('log', { name: 'Conversation' })
    .evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

/** Waits until the view is at the bottom of the conversation. */
export const atBottom = (page: Page): Promise<unknown> => scrolledUp(page, 0, 0);

/** Waits until the view is at least this far above the bottom, in pixels, and at most `most`. */
export const scrolledUp = (page: Page, least: number, most = Number.MAX_SAFE_INTEGER): Promise<unknown> =>
  page.waitForFunction(
    ([from, to]) => {
      const log = document.querySelector('[role="log"]');
      const above = log && Math.round(log.scrollHeight - log.clientHeight - log.scrollTop);
      return above !== null && above >= from && above <= to;
    },
    [least, most] as const,
  );

/** Returns the first row in view, and how far below the top of the view it begins, in pixels. */
export const positionOf = (page: Page): Promise<readonly [row: string, offset: number]> =>
  page.getByRole('log').evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1);
    const below = (first?.getBoundingClientRect().top ?? 0) - top;
    return [first?.dataset['row'] ?? '', Math.round(below)] as const;
  });

/** Waits until the conversation has not scrolled and not changed its height for five frames. */
export const settled = (page: Page): Promise<void> =>
  page.getByRole('log').evaluate(async (log) => {
    for (let [same, before] = [0, '']; same < 5;) {
      const now = `${log.scrollTop} ${log.scrollHeight}`;
      same = now === before ? same + 1 : 0;
      before = now;
      await new Promise(requestAnimationFrame);
    }
  });
