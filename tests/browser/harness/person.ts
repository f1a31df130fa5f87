import type { Page } from 'playwright-core';
import { skipFormPause } from './skipFormPause.ts';

/** The input of a person who registers. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

export const conversationOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

/** Fills the form and submits it with Enter; resolves when the platform's greeting is shown. */
export async function signUp(page: Page, person: Partial<typeof ADA> = {}): Promise<void> {
  const { email, password, name } = { ...ADA, ...person };
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill(name);
  await skipFormPause(page);
  await page.getByLabel('Name').press('Enter');
  await conversationOf(page).getByRole('article').first().waitFor();
}

/** Resolves when the connection is confirmed by its first pong, a second after it opened. */
export const connected = (page: Page): Promise<void> =>
  page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();

/**
 * Sends one of the built-in platform's commands, then another message at once, so that the assistant runs the command
 * immediately instead of after two seconds.
 */
export async function sayAndSkipWait(page: Page, word: string): Promise<void> {
  await say(page, word);
  await conversationOf(page).locator('[data-modifier="client"]').getByText(word, { exact: true }).waitFor();
  await say(page, 'now');
}

/** Types a text without a click, as a person does, and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}
