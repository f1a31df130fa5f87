import type { Page } from 'playwright-core';

/** What a person enters to register. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

export const conversationOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

/** Fills the form and submits it by Enter; resolves when the conversation is there and connected. */
export async function register(page: Page, person: Partial<typeof ADA> = {}): Promise<void> {
  const { email, password, name } = { ...ADA, ...person };
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Name').press('Enter');
  await page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();
}

/** Types a text as a person does, without a click, and sends it by Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}
