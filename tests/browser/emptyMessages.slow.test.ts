import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { message, messages, snapshot, text } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const first = message('first', [text('one')]);
const last = message('last', [text('two')]);
const empty = (id: string) => message(id, [], { modifier: 'client', context: 'Ada' });

/** Returns the space between the bubbles of the first and of the last message, in CSS pixels. */
const distance = (page: Page) =>
  page.evaluate(() => {
    const [bottom, top] = (['first', 'last'] as const).map((id) => {
      const bounds = document.querySelector(`[data-message-id="${id}"] .item`)?.getBoundingClientRect();
      return id === 'first' ? bounds?.bottom : bounds?.top;
    });
    return (top ?? 0) - (bottom ?? 0);
  });

it('shows the neighbours of an empty message as neighbours: with one label, and not further apart', async () => {
  const { page, signedIn } = await sharedWindow();
  await signedIn(snapshot(first, last));
  await page.getByText('two').waitFor();
  const usual = await distance(page);
  await signedIn(snapshot(first, empty('empty'), last));
  await page.locator('[data-message-id="empty"]').waitFor({ state: 'attached' });
  expect(await page.locator('.label').count()).toBe(1);
  expect((await distance(page)) - usual).toBeLessThanOrEqual(2);
});

it('moves the focus over empty messages, of which nothing is visible', async () => {
  const { page, signedIn } = await sharedWindow();
  await signedIn(snapshot(...messages(3), first, empty('e1'), empty('e2'), last, empty('e3')));
  await page.locator('[data-message-id="e3"]').waitFor({ state: 'attached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-message-id'));
  await page.getByRole('log').focus();
  const path: unknown[] = [];
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowDown']) {
    await page.keyboard.press(key);
    path.push(await focused());
  }
  expect(path).toEqual(['last', 'first', 'm3', 'first', 'last']);
});
