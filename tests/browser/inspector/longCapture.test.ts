import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { folderFor } from '../harness/folderFor.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { writeLongCapture } from './harness/longCapture.ts';
import { setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const rows = (page: Page) => page.getByRole('grid', { name: 'Steps' }).locator('[data-step]');

describe('a capture of 5,000 messages', () => {
  it('keeps only the rows in view in the document, and scrolls to the last step', async (test) => {
    const capture = writeLongCapture(join(folderFor(test), 'long.parley.jsonl'), 5000);
    const { page, at } = await open({ capture });
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await at(10_003);
    await page.locator('[data-step="10003"]').waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await page.locator('[data-step="1"]').waitFor();
  });

  it('loads earlier messages above on request and keeps the scroll position', async (test) => {
    const capture = writeLongCapture(join(folderFor(test), 'long.parley.jsonl'), 300);
    const { page } = await open({ capture, hash: '#step=603' });
    const articles = page.getByRole('log', { name: 'Conversation' }).getByRole('article');
    await page.locator('[data-message-id="m-299"]').waitFor();
    const before = await articles.count();
    const first = articles.first();
    await first.scrollIntoViewIfNeeded();
    const id = (await first.getAttribute('data-message-id')) ?? '';
    const place = async () => (await page.locator(`[data-message-id="${id}"]`).boundingBox())?.y ?? -1;
    const stood = await place();
    await page.getByRole('button', { name: /Show earlier messages/ }).click();
    await expect.poll(() => articles.count(), POLLING).toBe(before + 100);
    await expect.poll(async () => Math.abs((await place()) - stood), POLLING).toBeLessThan(40);
  });

  it('shows the step under the pointer while scrubbing from end to end', async (test) => {
    const capture = writeLongCapture(join(folderFor(test), 'long.parley.jsonl'), 5000);
    const { page, at, step } = await open({ capture });
    const box = await page.getByRole('slider', { name: 'Step' }).boundingBox();
    if (box === null) throw new Error('The scrubber is not visible.');
    await page.mouse.move(box.x + 2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + 10, { steps: 10 });
    await expect.poll(step, POLLING).toBeGreaterThan(1000);
    await page.mouse.move(box.x + box.width + 20, box.y + 10, { steps: 10 });
    await page.mouse.up();
    await at(10_003);
  });
});
