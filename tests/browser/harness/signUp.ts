import type { Page } from 'playwright-core';
import { skipFormPause } from './skipFormPause.ts';

/** The input of a person who registers. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

/** Returns the list of messages of a page. */
export const conversationOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

/** Fills the form and submits it with Enter; resolves when the platform's greeting is shown. */
export async function signUp(page: Page, person: Partial<typeof ADA> = {}): Promise<void> {
  const { email, password, name } = { ...ADA, ...person };
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill(name);
  await skipFormPause(page);
  await page.getByLabel('Name').press('Enter');
  await page.waitForFunction(() => document.querySelector('[role="log"] article') !== null);
}

/** Resolves when the connection is confirmed by its first pong, a second after it opened. */
export const connected = (page: Page): Promise<void> =>
  page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();
