import type { Page } from 'playwright-core';

/** What a person enters who has an account. */
export const CREDENTIALS = { email: 'grace@example.org', password: 'comp1ler!' };

/** Fills the form without a name and submits it by Enter. */
export async function login(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(CREDENTIALS.email);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await page.getByLabel('Password').press('Enter');
}
