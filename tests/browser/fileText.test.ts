import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from './harness/axeViolations.ts';
import { markedTexts } from './harness/find.ts';
import { message, snapshot, text } from './harness/message.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');
const file = (content: string | Buffer, category = 'file') => ({
  category,
  text: 'question.txt',
  html: null,
  blob: Buffer.from(content).toString('base64'),
});

/** Shows a message with these files in the window that the tests share. */
async function shown(...files: readonly ReturnType<typeof file>[]) {
  const window = await sharedWindow();
  await window.apply(snapshot(message('1', files, { modifier: 'client' }), message('2', [text('Hm.')])));
  await window.page.getByRole('article').nth(1).waitFor();
  return window;
}

const item = (page: Page, at = 0) => page.locator('[data-category="file"]').nth(at);
const shownText = (page: Page, at = 0) => item(page, at).locator('.item-text').allTextContents();

describe('a text file', () => {
  it('contract §3 file: shows its first lines below its link, and all of them with Show all', async () => {
    const { page } = await shown(file(lines(2000)), file(lines(3)));
    const link = page.getByRole('link', { name: 'question.txt' });
    expect(await link.evaluateAll((all) => all.map((one) => one.getAttribute('download')))).toEqual([
      'question.txt',
      'question.txt',
    ]);
    expect(await shownText(page)).toEqual([lines(6)]);
    expect(await shownText(page, 1)).toEqual([lines(3)]);
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => shownText(page)).toEqual([lines(2000)]);
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0);
  });

  it('shows nothing of a file that is no text, nor of an image that cannot be drawn', async () => {
    const binary = Buffer.from([0x50, 0x4b, 3, 4, 0, 0]);
    const { page } = await shown(file(binary), file(''), file('not an image', 'image'));
    expect(await page.getByRole('link', { name: 'question.txt' }).count()).toBe(3);
    expect(await page.locator('[data-message-id="1"] .item-text').count()).toBe(0);
  });

  it('has its name searched, and stays within the view at each width', async () => {
    const { page } = await shown(file(`${'long '.repeat(100)}\n${'x'.repeat(300)}`));
    for (const width of [420, 760, 1280]) {
      await resize(page, width, 720);
      expect(await overflowingElements(page, 'article *')).toEqual([]);
    }
    await page.keyboard.press('Control+f');
    await page.keyboard.type('question');
    await page.getByText('1 of 1').waitFor();
    await expect.poll(() => markedTexts(page, 'find-current')).toEqual(['question']);
    await page.keyboard.press('Escape');
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  });
});
