import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { connected, conversationOf, say, sayAndHasten, signUp } from './harness/person.ts';
import { type OpenMessenger, hosts } from './harness/hosts.ts';
import { startParley } from './harness/parley.ts';
import { workerBrowser } from './harness/workerBrowser.ts';

/** The messages in the window, by their ids. */
const ids = (of: Page) =>
  conversationOf(of)
    .getByRole('article')
    .evaluateAll((articles) => articles.map((article) => article.dataset.messageId));

/** The whole product as a newcomer has it: the built-in platform, a real window. */
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

  it('a newcomer registers, the conversation with its greeting and the words to try', async () => {
    const greeting = conversationOf(page).getByRole('article').first();
    await greeting.waitFor();
    expect(await greeting.getAttribute('data-modifier')).toBe('ai');
    expect(await page.getByRole('button', { name: 'Write a message' }).textContent()).toBe('AL');
  });

  it('a text is typed and sent, the platform returns it and the assistant answers', async () => {
    await say(page, 'hello there');
    const answer = conversationOf(page).locator('[data-modifier="ai"]').getByText('hello there');
    await answer.waitFor();
    const own = conversationOf(page).locator('[data-modifier="client"]').last();
    expect(await own.locator('[data-category="text"]').textContent()).toBe('hello there');
  });

  it('the connection is cut, disconnected is shown and then connected again with the same conversation', async () => {
    const before = await conversationOf(page).getByRole('article').count();
    await sayAndHasten(page, 'drop');
    await page.locator('main[data-connection="disconnected"]').waitFor();
    await page.locator('main[data-connection="connected"]').waitFor();
    await expect.poll(() => conversationOf(page).getByRole('article').count()).toBeGreaterThan(before);
    await conversationOf(page).getByText('hello there', { exact: true }).waitFor();
  });

  it('a reload and a second window, the same conversation in both', async () => {
    const before = await ids(page);
    await page.reload();
    await expect.poll(() => ids(page)).toEqual(before);
    const second = await messenger.openWindow?.();
    if (second === undefined) return;
    await expect.poll(() => ids(second)).toEqual(before);
    await say(second, 'from the second window');
    for (const window of [page, second]) {
      await conversationOf(window).getByText('from the second window', { exact: true }).waitFor();
    }
    await second.close();
  });

  it('the platform closes with `unauthorized`, logged out with the reason in an alert', async () => {
    await sayAndHasten(page, 'signout');
    const alert = page.getByRole('alertdialog');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('unauthorized');
    await alert.getByRole('button', { name: 'OK' }).click();
    await page.locator('main[data-view="login"]').waitFor();
  });

  it('signed in again and logged out, the form again and nothing kept of the account', async () => {
    await signUp(page, { email: 'second@example.org', name: 'Grace Hopper' });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    expect(await page.getByRole('log').count()).toBe(0);
  });
});

describe('the messenger, started again', () => {
  it('spec §5 item 3: the same data folder, still signed in with the conversation as it was', async () => {
    const [browser, first] = await Promise.all([workerBrowser(), startParley()]);
    const page = await browser.newPage();
    await page.goto(first.url);
    await signUp(page);
    await say(page, 'remember me');
    await conversationOf(page).getByText('remember me', { exact: true }).waitFor();
    // What is shown is on the disk.
    first.process.kill('SIGKILL');

    const second = await startParley({ dataDir: first.dataDir });
    await page.goto(second.url);
    await conversationOf(page).getByText('remember me', { exact: true }).waitFor();
    expect(await second.stop()).toBe(0);
    expect(second.printed.stdout.trim().split('\n')).toHaveLength(1);
    await page.close();
    await first.stop();
  });
});
