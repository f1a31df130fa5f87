import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { message, messages, snapshot, text, uneven } from './harness/message.ts';
import { resize } from './harness/resize.ts';
import { settled } from './harness/find.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const button = (page: Page) => page.getByRole('button', { name: 'Message actions' });
const menu = (page: Page) => page.getByRole('menu', { name: 'Message actions' });
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const entries = (page: Page) => menu(page).getByRole('menuitem').allTextContents();

/** Shows messages, and the actions of one of them under the pointer. */
async function withActionsOf(id: string, ...list: readonly ReturnType<typeof message>[]) {
  const window = await sharedWindow();
  await window.signedIn(snapshot(...list));
  const { page } = window;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.mouse.move(0, 0);
  await page.locator(`[data-message-id="${id}"] .item`).first().hover();
  await button(page).click();
  await menu(page).getByRole('menuitem').first().waitFor();
  return window;
}

it('shows the actions beside the message under the pointer, at any width, and copies and quotes its text', async () => {
  const markup = { category: 'html', html: '<ul><li>one</li><li>two</li></ul>' };
  const list = [
    message('a', [text('Good morning'), markup]),
    message('b', [text('a long text '.repeat(40))], { modifier: 'client', context: 'Ada' }),
    message('c', [text('news')], { modifier: 'admin' }),
  ];
  const { page } = await withActionsOf('a', ...list);
  expect(await entries(page)).toEqual(['Copy as text', 'Copy as Markdown', 'Copy as HTML', 'Quote']);
  expect(await axeViolations(page, ['serious', 'critical', 'moderate'])).toEqual([]);
  const sign = await button(page).innerHTML();
  await menu(page).getByText('Copy as text').click();
  await expect.poll(() => clipboard(page)).toBe('Good morning\none\ntwo');
  await page.getByText('Copied').waitFor({ state: 'attached' });
  expect(await button(page).innerHTML()).not.toBe(sign);
  await button(page).click();
  await menu(page).getByText('Copy as Markdown').click();
  await expect.poll(() => clipboard(page)).toBe('Good morning\n\n- one\n- two');
  await button(page).click();
  await menu(page).getByText('Copy as HTML').click();
  await expect.poll(() => clipboard(page)).toContain('<p dir="auto" data-kind="text">Good morning</p>');
  const types = await page.evaluate(async () => (await navigator.clipboard.read())[0]?.types);
  expect(types).toContain('text/html');

  await button(page).click();
  await expect.poll(() => menu(page).locator(':focus').count()).toBe(1);
  await page.keyboard.press('q');
  await page.keyboard.press('Enter');
  await expect.poll(() => box(page).inputValue()).toBe('> Good morning\n> one\n> two\n\n');
  await page.keyboard.type('Morning!');
  await page.locator('[data-message-id="c"] .item').hover();
  await button(page).click();
  await menu(page).getByText('Quote').click();
  await expect
    .poll(() => box(page).inputValue())
    .toBe('> Good morning\n> one\n> two\n\nMorning!\n> news\n\n');
  await expect.poll(() => box(page).evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('[data-message-id="a"] .item').first().hover();
  await expect.poll(() => button(page).count()).toBe(1);
  await page.locator('.title-bar').hover();
  await expect.poll(() => button(page).count()).toBe(0);
  await page.getByRole('log').focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => page.locator('[data-message-id="c"] .message-actions').count()).toBe(1);

  for (const width of [1440, 1024, 420]) {
    await resize(page, width, 720);
    for (const id of ['a', 'b', 'c']) {
      await page.locator(`[data-message-id="${id}"] .item`).first().hover();
      await page.locator(`[data-message-id="${id}"] .message-actions`).waitFor();
      const [shown, item] = await Promise.all([
        button(page).boundingBox(),
        page.locator(`[data-message-id="${id}"] .item`).first().boundingBox(),
      ]);
      if (shown === null || item === null) throw new Error('There is no button.');
      expect(shown.x).toBeGreaterThanOrEqual(0);
      expect(shown.x + shown.width).toBeLessThanOrEqual(width);
      const isBeside = shown.x >= item.x + item.width || shown.x + shown.width <= item.x;
      expect([width, id, isBeside]).toEqual([width, id, true]);
    }
  }
});

it.each([
  [420, 260],
  [420, 500],
  [760, 400],
  [900, 400],
])(
  'shows the button and the whole menu within a window of %i by %i px, at each place',
  async (width, height) => {
    const markdown = { ...text(`${'A paragraph.\n\n'.repeat(20)}The end.`), format: 'markdown' };
    const list = [
      message('a', [text('It failed.')], { modifier: 'admin', context: '', ...{ notice: true } }),
      message('b', [text('a long text '.repeat(60))], { modifier: 'client', context: 'Ada' }),
      message('c', [markdown]),
      message('d', [{ ...text('Short.'), format: 'markdown' }]),
    ];
    const { signedIn, page } = await sharedWindow();
    await signedIn(snapshot(...list));
    await resize(page, width, height);
    for (const { id = '' } of list) {
      for (const isEnd of [false, true]) {
        const article = page.locator(`[data-message-id="${id}"]`);
        await article.evaluate((one, end) => one.scrollIntoView({ block: end ? 'end' : 'start' }), isEnd);
        await page.mouse.move(0, 0);
        const { x, y } = await article.locator('.items').evaluate((items) => {
          const view = items.closest('.log')?.getBoundingClientRect() ?? new DOMRect();
          const { left, top, bottom } = items.getBoundingClientRect();
          return { x: left + 20, y: (Math.max(top, view.top) + Math.min(bottom, view.bottom)) / 2 };
        });
        await page.mouse.move(x, y);
        await button(page).click();
        const boxes = await Promise.all([button(page).boundingBox(), menu(page).boundingBox()]);
        const isWithin = boxes.map(
          (one) =>
            one !== null &&
            one.x >= 0 &&
            one.y >= 0 &&
            one.x + one.width <= width &&
            one.y + one.height <= height,
        );
        expect([id, isEnd, ...isWithin]).toEqual([id, isEnd, true, true]);
        expect(await page.getByRole('log').evaluate((log) => log.scrollLeft)).toBe(0);
        await page.keyboard.press('Escape');
        await expect.poll(() => menu(page).isVisible()).toBe(false);
      }
    }
    await resize(page, 1280, 720);
  },
);

it('saves the pictures and files of a message under their names', async () => {
  const { page } = await withActionsOf(
    'files',
    message('files', [
      { category: 'image', text: 'sky.png', blob: eveningPicture() },
      { category: 'file', text: '../notes.txt', blob: btoa('the notes') },
      { category: 'file', text: 'empty.txt', blob: '' },
    ]),
  );
  expect(await entries(page)).toEqual([
    'Copy as text',
    'Copy as Markdown',
    'Copy as HTML',
    'Quote',
    'Save sky.png',
    'Save ../notes.txt',
  ]);
  const saved = page.waitForEvent('download');
  await menu(page).getByText('Save ../notes.txt').click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('_notes.txt');
  expect(await readFile(await download.path(), 'utf8')).toBe('the notes');
});

it('says that the clipboard is not allowed', async () => {
  const { page } = await withActionsOf('a', message('a', [text('secret')]));
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
  });
  await menu(page).getByText('Copy as text').click();
  const note = page.locator('.note');
  await expect
    .poll(() => note.textContent())
    .toContain('The message could not be copied: the clipboard is not allowed here.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
});

it('shows the actions of a message that is touched', async () => {
  const { page, signedIn } = await sharedWindow();
  await signedIn(snapshot(...messages(2)));
  await page.locator('[data-message-id="m1"] .item').dispatchEvent('pointerdown', { pointerType: 'touch' });
  await expect.poll(() => page.locator('[data-message-id="m1"] .message-actions').count()).toBe(1);
});

it('moves the focus through 10,000 messages of any height without losing it', async () => {
  const { page, signedIn } = await sharedWindow();
  const tall = message('tall', [text('line\n'.repeat(80))]);
  await signedIn(snapshot(...uneven(10_000), tall, message('last', [text('the end')])));
  await page.locator('[data-message-id="last"]').waitFor();
  const focused = () =>
    page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset['messageId'] : '',
    );
  await page.getByRole('log').focus();
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('last');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('tall');
  // The message is higher than the view, which scrolls to its beginning first.
  let presses = 0;
  for (; (await focused()) === 'tall'; presses++) {
    expect(presses).toBeLessThan(60);
    await page.keyboard.press('ArrowUp');
    await settled(page);
  }
  expect(presses).toBeGreaterThan(10);
  const before = Number((await focused())?.slice(1));
  expect(before).toBe(10_000);
  for (let press = 1; press <= 60; press++) {
    await page.locator(`[data-message-id="m${before - press}"]`).waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe(`m${before - press}`);
  }
  await page.keyboard.press('Home');
  await page.getByText('message 1', { exact: true }).waitFor();
  await settled(page);
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('m1');
});
