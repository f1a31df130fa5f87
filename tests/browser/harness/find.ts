import type { Page } from 'playwright-core';

/** Opens the find bar and types a text into it. */
export async function findInBar(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in the conversation' }).fill(text);
}

/** Returns the count of the find bar. */
export const hits = async (page: Page): Promise<string> =>
  (await page.locator('.find-count').textContent()) ?? '';

/** Returns the texts that a highlight marks. */
export const markedTexts = (page: Page, name: 'find-hit' | 'find-current'): Promise<readonly string[]> =>
  page.evaluate((key) => Array.from(CSS.highlights.get(key) ?? [], String), name);

/** Returns the first row in view, and how far below the top of the view it begins, in pixels. */
export const positionOf = (page: Page): Promise<readonly [row: string, offset: number]> =>
  page.getByRole('log').evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top);
    return [
      first?.dataset['row'] ?? '',
      Math.round((first?.getBoundingClientRect().top ?? 0) - top),
    ] as const;
  });

/** Waits until the conversation has not scrolled for ten frames. */
export const settled = (page: Page): Promise<void> =>
  page.getByRole('log').evaluate(async (log) => {
    for (let [same, before] = [0, -1]; same < 10; same = log.scrollTop === before ? same + 1 : 0) {
      before = log.scrollTop;
      await new Promise(requestAnimationFrame);
    }
  });
