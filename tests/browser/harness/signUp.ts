import { type Page } from 'playwright-core';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';

/** The input of a person who registers. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

/** Fills the form and submits it with Enter. */
export async function submitForm(page: Page, { email, password, name }: typeof ADA): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Name').fill(name);
  await skipFormPause(page);
  await page.getByLabel('Name').press('Enter');
}

/** Returns the list of messages of a page. */
export const conversationOf = (page: Page) => page.getByRole('log', { name: 'Conversation' });

/** Registers a person; resolves when the platform's greeting is shown. */
export async function signUp(page: Page, person: Partial<typeof ADA> = {}): Promise<void> {
  await submitForm(page, { ...ADA, ...person });
  await page.waitForFunction(() => document.querySelector('[role="log"] article') !== null);
}

/** Resolves when the connection is confirmed by its first pong, a second after it opened. */
export const connected = (page: Page): Promise<void> =>
  page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();

/** Moves the page's monotonic clock on, so that the form sends or checks on the next Enter instead of 2000 ms after its last input. */
export const skipFormPause = (page: Page): Promise<void> =>
  page.evaluate((ms) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, FORM_DEBOUNCE_MS);

/** The credentials of a person with an account. */
export const CREDENTIALS = { email: 'grace@example.org', password: 'comp1ler!' };

/** Signs that person in. */
export const login = (page: Page): Promise<void> => submitForm(page, { ...CREDENTIALS, name: '' });

/** Types a text without a click, as a person does, and sends it with Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
}
