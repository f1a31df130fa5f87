import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { preferencesChanged } from '#shared/store/preferences.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { appended, message, snapshot, text, uneven } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { open } = setUpSharedWindow();

const scrollTop = (page: Page) => page.getByRole('log').evaluate((log) => log.scrollTop);
const aboveBottom = (page: Page) =>
  page.getByRole('log').evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

/** Gives the window the focus, or takes it. */
const focusWindow = (page: Page, hasFocus: boolean) =>
  page.evaluate((has) => {
    document.hasFocus = () => has;
    window.dispatchEvent(new Event(has ? 'focus' : 'blur'));
  }, hasFocus);

/** Returns the id of the message below the divider. */
const firstNew = (page: Page) =>
  page
    .getByRole('separator', { name: 'New messages' })
    .evaluateAll((all) =>
      all.map((one) => one.parentElement?.querySelector<HTMLElement>('article')?.dataset['messageId']),
    );

/** Opens a conversation that is scrolled up. */
async function scrolledUp(count: number) {
  const window = await open();
  await window.signedIn(snapshot(...uneven(count)));
  await window.page.locator(`[data-message-id="m${count}"]`).waitFor();
  await window.page.getByRole('log').focus();
  await window.page.keyboard.press('PageUp');
  await expect.poll(() => aboveBottom(window.page)).toBeGreaterThan(100);
  return window;
}

const arriving = ['n1', 'n2', 'own', 'n3'].map((id) =>
  appended(message(id, [text(id)], id === 'own' ? { modifier: 'client', context: 'Ada' } : {})),
);

it('spec §4.4 item 4: without the setting, each update scrolls to the bottom', async () => {
  const { page, apply } = await scrolledUp(100);
  await apply(...arriving);
  await expect.poll(() => aboveBottom(page)).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: /new message/ }).count()).toBe(0);
});

it.each([100, 5000])(
  'stays where the person reads in %i messages, counts the new ones of others, and goes to them',
  async (count) => {
    const { page, apply, dispatch, problems } = await scrolledUp(count);
    await dispatch(preferencesChanged({ stayWhereIRead: true }));
    const before = await scrollTop(page);
    await apply(...arriving);
    const button = page.getByRole('button', { name: '3 new messages' });
    await button.waitFor();
    expect(await button.textContent()).toBe('↓ 3 new');
    expect(Math.abs((await scrollTop(page)) - before)).toBeLessThan(2);
    expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
    await button.click();
    await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
    await button.waitFor({ state: 'detached' });
    const log = page.getByRole('log');
    await expect.poll(() => log.evaluate((one) => one === document.activeElement), POLLING).toBe(true);
    await expect.poll(() => firstNew(page), POLLING).toEqual(['n1']);
    await apply(appended(message('n4', [text('n4')])));
    await page.locator('[data-message-id="n4"]').waitFor();
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.keyboard.press('PageUp');
    await expect.poll(() => aboveBottom(page)).toBeGreaterThan(100);
    await apply(appended(message('n5', [text('n5')])));
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    await page.keyboard.press('End');
    await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
    await expect.poll(() => firstNew(page), POLLING).toEqual(['n5']);
    expect(problems).toEqual([]);
  },
);

it('offers the setting, which is off, in the settings', async () => {
  const { page, calls, dispatch } = await scrolledUp(30);
  await page.evaluate((contents) => window.fakeMain.emit('settings', contents), {
    captures: '',
    stored: { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } },
  });
  const setting = page.getByRole('switch', { name: 'Stay where I read' });
  expect(await setting.isChecked()).toBe(false);
  await setting.click();
  await expect.poll(() => calls).toEqual([['setPreference', { stayWhereIRead: true }]]);
  await dispatch(preferencesChanged({ stayWhereIRead: true }));
  await expect.poll(() => setting.isChecked()).toBe(true);
});

it('shows where the messages begin that arrived while the window did not have the focus', async () => {
  const { page, signedIn, apply } = await open();
  await signedIn(snapshot(...uneven(3)));
  await page.locator('[data-message-id="m3"]').waitFor();
  await focusWindow(page, false);
  expect(await firstNew(page)).toEqual([]);
  await apply(...arriving);
  await page.locator('[data-message-id="n3"]').waitFor();
  await expect.poll(() => firstNew(page)).toEqual(['n1']);
  await focusWindow(page, true);
  await apply(appended(message('n4', [text('n4')])));
  await page.locator('[data-message-id="n4"]').waitFor();
  await expect.poll(() => firstNew(page)).toEqual(['n1']);
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  await focusWindow(page, false);
  await expect.poll(() => firstNew(page)).toEqual([]);
});
