import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { message, snapshot, text, uneven } from './harness/message.ts';
import { resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { workerBrowserWithScrollbars } from './harness/workerBrowser.ts';

const { open } = setUpSharedWindow(workerBrowserWithScrollbars);

const WIDTHS = [320, 420, 800, 1440];

/** Returns the left and right edges of the first element of a selector, without its padding, in pixels. */
const edges = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
    });

/** Returns the widths of the scroll bar of the first element of a selector, in pixels. */
const scrollbar = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => (element instanceof HTMLElement ? element.offsetWidth - element.clientWidth : 0));

/** Returns how far the upper end of the scroll bar of an element goes beyond its round corner, in pixels. */
const beyondCorner = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const radius = Number.parseFloat(getComputedStyle(element).borderTopRightRadius);
    const below = Math.max(radius - element.clientTop, 0);
    return radius - Math.sqrt(radius ** 2 - below ** 2);
  });

it.each([600, 400])('shows the whole width of the form in a window of 320 × %i', async (height) => {
  const { page, account } = await open();
  await account(false);
  await page.getByLabel('Email').waitFor();
  await resize(page, 320, height);
  expect(await page.locator('.login').evaluate((form) => form.scrollWidth - form.clientWidth)).toBe(0);
  const [left = 0, right = 0] = await edges(page, '.card');
  for (const field of await page.locator('.card .field-box').all()) {
    const box = await field.boundingBox();
    expect(box?.x).toBeCloseTo(left + 1, 0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeCloseTo(right - 1, 0);
  }
});

it('shows the messages below the find bar and above the dock, with and without a scroll bar', async () => {
  const { page, signedIn } = await open();
  for (const count of [1, 40]) {
    const last = `last of ${count}`;
    await signedIn(snapshot(...uneven(count), message(last, [text(last)])));
    await page.locator(`[data-message-id="${last}"]`).waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('search').waitFor();
    for (const width of WIDTHS) {
      await resize(page, width, 600);
      const expected = await edges(page, '.dock');
      expect([width, await edges(page, '.row')]).toEqual([width, expected]);
      expect([width, await edges(page, 'search')]).toEqual([width, expected]);
    }
  }
  expect(await scrollbar(page, '.log')).toBeGreaterThan(10);
});

it('shows the scroll bars of a dialog and of the menu between the round corners', async () => {
  const { page, signedIn } = await open();
  await signedIn();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await resize(page, 420, 300);
  expect(await scrollbar(page, '[role="menu"]')).toBeGreaterThan(10);
  expect(await beyondCorner(page, '[role="menu"]')).toBeLessThan(1);
  expect(await page.getByRole('menu').evaluate((menu) => menu.scrollWidth - menu.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await page.evaluate(() => window.fakeMain.emit('export'));
  await page.getByRole('dialog').waitFor();
  expect(await scrollbar(page, 'dialog')).toBeGreaterThan(10);
  expect(await beyondCorner(page, 'dialog')).toBeLessThan(1);
});
