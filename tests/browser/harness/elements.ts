import type { Page } from 'playwright-core';

/** The text box. */
export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
/** Buttons with exactly this name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** The message with this id. */
export const article = (page: Page, id: string) => page.locator(`article[data-message-id="${id}"]`);
/** A message above the text box. */
export const note = (page: Page, words: string) => page.locator('.note', { hasText: words });

/** Types a text as a person does; a name in braces is a key: `typeKeys(page, 'a draft{Escape}')`. */
export async function typeKeys(page: Page, keys: string): Promise<void> {
  for (const [at, part] of keys.split(/\{([^}]+)\}/u).entries())
    await (at % 2 === 0 ? page.keyboard.type(part) : page.keyboard.press(part));
}
