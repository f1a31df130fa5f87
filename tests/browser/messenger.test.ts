import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { sendMessage, sendMessageAndSkipWait } from './harness/sendMessage.ts';
import { connected, conversationOf, signUp } from './harness/signUp.ts';
import { type OpenMessenger, hosts } from './harness/hosts.ts';

/** Returns the ids of the messages in the window. */
const ids = (of: Page) =>
  conversationOf(of)
    .getByRole('article')
    .evaluateAll((articles) => articles.map((article) => article.dataset.messageId));

/** Tests the complete product as a new user has it: with the built-in platform and a real window. */
describe.each(hosts)('the messenger in %s', (_, open) => {
  let messenger: OpenMessenger;
  let page: Page;

  beforeAll(async () => {
    messenger = await open();
    ({ page } = messenger);
    await signUp(page);
    await connected(page);
  });
  afterAll(() => messenger.close());

  it('shows the conversation with the greeting after registration', async () => {
    const greeting = conversationOf(page).getByRole('article').first();
    await greeting.waitFor();
    expect(await greeting.getByRole('button').allTextContents()).toEqual(['Connect a model…']);
    expect(await page.getByRole('button', { name: 'Write a message' }).textContent()).toBe('AL');
  });

  it('sends a typed text, which the platform returns and the assistant answers', async () => {
    await sendMessage(page, 'hello there');
    const answer = conversationOf(page).locator('[data-modifier="ai"]').getByText('hello there');
    await answer.waitFor();
    const own = conversationOf(page).locator('[data-modifier="client"]').last();
    await expect.poll(() => own.locator('[data-category="text"]').textContent()).toBe('hello there');
  });

  it('shows disconnected when the connection is lost, then reconnects with the same conversation', async () => {
    const before = await conversationOf(page).getByRole('article').count();
    await sendMessageAndSkipWait(page, 'drop');
    await page.locator('main[data-connection="disconnected"]').waitFor();
    await page.locator('main[data-connection="connected"]').waitFor();
    await expect.poll(() => conversationOf(page).getByRole('article').count()).toBeGreaterThan(before);
    await conversationOf(page).getByText('hello there', { exact: true }).waitFor();
  });

  it('shows the same conversation after a reload and in a second window', async () => {
    const before = await ids(page);
    await page.reload();
    await expect.poll(() => ids(page)).toEqual(before);
    const second = await messenger.openWindow?.();
    if (second === undefined) return;
    await expect.poll(() => ids(second)).toEqual(before);
    await sendMessage(second, 'from the second window');
    for (const window of [page, second]) {
      await conversationOf(window).getByText('from the second window', { exact: true }).waitFor();
    }
    await second.close();
  });

  it('logs out and shows the reason in an alert when the platform closes with `unauthorized`', async () => {
    await sendMessageAndSkipWait(page, 'signout');
    const alert = page.getByRole('alertdialog');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('unauthorized');
    await alert.getByRole('button', { name: 'OK' }).click();
    await page.locator('main[data-view="login"]').waitFor();
  });

  it('shows the form and nothing of the account after a second sign-in and a log-out', async () => {
    await signUp(page, { email: 'second@example.org', name: 'Grace Hopper' });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    await expect.poll(() => page.getByRole('log').count()).toBe(0);
  });
});
