import type { Page } from 'playwright-core';
import { conversationOf } from './signUp.ts';

/** Types a text without a click, as a person does, and sends it with Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}

/**
 * Sends one of the built-in platform's commands, then another message at once, so that the assistant runs the command
 * immediately instead of after two seconds.
 */
export async function sendMessageAndSkipWait(page: Page, word: string): Promise<void> {
  await sendMessage(page, word);
  await conversationOf(page).locator('[data-modifier="client"]').getByText(word, { exact: true }).waitFor();
  await sendMessage(page, 'now');
}
