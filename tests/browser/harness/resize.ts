import type { Page } from 'playwright-core';

/** Resizes a page; resolves when it is rendered in its new size. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
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
