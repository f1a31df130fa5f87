import type { Page } from 'playwright-core';
import { skipFormPause } from './skipFormPause.ts';

/** The credentials of a person with an account. */
export const CREDENTIALS = { email: 'grace@example.org', password: 'comp1ler!' };

/** Fills the form without a name and submits it with Enter. */
export async function login(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(CREDENTIALS.email);
  await page.getByLabel('Password').fill(CREDENTIALS.password);
  await skipFormPause(page);
  await page.getByLabel('Password').press('Enter');
}
