import type { Page } from 'playwright-core';

/** Opens the find bar and types a text into it. */
export async function findInBar(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in the conversation' }).fill(text);
}

/** Waits until the find bar shows this count. */
export const counted = async (page: Page, count: string | RegExp): Promise<void> =>
  page
    .locator('.find-count')
    .filter({ hasText: typeof count === 'string' ? new RegExp(`^${count}$`, 'u') : count })
    .waitFor();

/** Returns the texts that a highlight marks. */
export const markedTexts = (page: Page, name: 'find-hit' | 'find-current'): Promise<readonly string[]> =>
  page.evaluate((key) => Array.from(CSS.highlights.get(key) ?? [], String), name);

/** Waits until a highlight marks exactly these texts. */
export const marked = async (
  page: Page,
  name: 'find-hit' | 'find-current',
  texts: readonly string[],
): Promise<void> => {
  await page.waitForFunction(
    ([key, wanted]) => JSON.stringify(Array.from(CSS.highlights.get(key) ?? [], String)) === wanted,
    [name, JSON.stringify(texts)] as const,
  );
};
