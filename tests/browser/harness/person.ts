import type { Page } from 'playwright-core';

/** What a person enters to register. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

export const conversationOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

/** Fills the form and submits it by Enter; resolves when the platform's greeting is there. */
export async function signUp(page: Page, person: Partial<typeof ADA> = {}): Promise<void> {
  const { email, password, name } = { ...ADA, ...person };
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Name').press('Enter');
  await conversationOf(page).getByRole('article').first().waitFor();
}

/** Resolves once the connection has proved itself: a second after it was opened, by the first pong. */
export const connected = (page: Page): Promise<void> =>
  page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();

/**
 * Says one of the built-in platform's words, and at once something else: then the assistant does what it would have done two
 * seconds later.
 */
export async function sayAndHasten(page: Page, word: string): Promise<void> {
  await say(page, word);
  await conversationOf(page).locator('[data-modifier="client"]').getByText(word, { exact: true }).waitFor();
  await say(page, 'now');
}

/** Types a text as a person does, without a click, and sends it by Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}
