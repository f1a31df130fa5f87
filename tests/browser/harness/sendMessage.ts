import type { Page } from 'playwright-core';

/** Types a text without a click, as a person does, and sends it with Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}
