import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { captureText } from '#replay/inspector/model/testing/captureText.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from '../harness/axeViolations.ts';
import { folderFor } from '../harness/folderFor.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const grid = (page: Page) => page.getByRole('grid', { name: 'Steps' });

/** Returns the numbers of the steps in the list. */
const listed = (page: Page) =>
  grid(page)
    .locator('[data-step]')
    .evaluateAll((lines) => lines.map((line) => Number(line.dataset['step'])));

describe('the step list', () => {
  it('shows the number, time, kind, wait, size and summary of each step', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    const cells = (step: number) =>
      page
        .locator(`[data-step="${step}"] [role="gridcell"]`)
        .evaluateAll((all) => all.map((cell) => cell.textContent));
    await page.locator('[data-step="22"]').waitFor();
    expect(await cells(8)).toEqual([
      '8',
      '1.500',
      '✓applied message',
      '0.014',
      '184 B',
      'Ada Lovelace: drop',
    ]);
    expect(await cells(11)).toEqual(['11', '3.405', '○close', '', '', 'connection closed, 1006']);
    expect(await listed(page)).toHaveLength(22);
  });

  it('lists the steps that match a text and a kind, and all of them after clearing', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.getByLabel('Filter by text').fill('after the cut');
    await expect.poll(() => listed(page), POLLING).toEqual([16, 18, 19, 20, 21]);
    await page.getByText('Every kind', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'applied' }).check();
    await expect.poll(() => listed(page), POLLING).toEqual([19, 21]);
    await page.getByRole('checkbox', { name: 'applied' }).uncheck();
    await page.getByRole('checkbox', { name: 'close', exact: true }).check();
    await page.getByRole('checkbox', { name: 'sent', exact: true }).check();
    await page.getByText('2 kinds', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'sent', exact: true }).uncheck();
    await page.getByText('No step fits the filters.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(async () => (await listed(page)).length, POLLING).toBe(22);
  });

  it('hides the steps that changed nothing and shows how many remain', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.getByRole('checkbox', { name: 'Hide what changed nothing' }).check();
    await expect.poll(() => listed(page), POLLING).toEqual([3, 4, 8, 10, 11, 15, 19, 21]);
    expect(await page.getByRole('region', { name: 'Step list' }).getByRole('status').textContent()).toBe(
      '8 of 22',
    );
  });

  it('keeps the selected step in the middle, from the step at which the page opens, but not under a click', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-stream'), step: 30 });
    /** Returns the distance of the row from the middle of the rows, in rows. */
    const fromMiddle = (step: number) =>
      page.locator(`[data-step="${step}"]`).evaluate((row) => {
        const [own, list] = [row, row.closest('.step-grid')].map((one) => one?.getBoundingClientRect());
        return own && list ? (own.top + own.bottom - list.top - 26 - list.bottom) / 52 : Infinity;
      });
    // The middle is in one row only, so this becomes true when the list has been drawn at its new position.
    const isInMiddle = async (step: number) => Math.abs(await fromMiddle(step)) <= 0.5;
    await at(30);
    await expect.poll(() => isInMiddle(30), POLLING).toBe(true);
    await page.keyboard.press('ArrowRight');
    await at(31);
    await expect.poll(() => isInMiddle(31), POLLING).toBe(true);
    const before = await fromMiddle(36);
    await page.locator('[data-step="36"]').click();
    await at(36);
    expect(await fromMiddle(36)).toBe(before);
  });

  it('selects a step on a click', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.locator('[data-step="10"]').click();
    await at(10);
    expect(await page.locator('[data-step="10"]').getAttribute('aria-selected')).toBe('true');
  });

  it('moves from entry to entry of a filtered list with the arrow keys', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.getByRole('checkbox', { name: 'Hide what changed nothing' }).check();
    await expect.poll(async () => (await listed(page)).length, POLLING).toBe(8);
    await grid(page).focus();
    const ways = [
      ['ArrowDown', 3],
      ['ArrowDown', 4],
      ['End', 21],
      ['ArrowUp', 19],
      ['Home', 3],
    ] as const;
    for (const [key, step] of ways) {
      await page.keyboard.press(key);
      await at(step);
    }
  });

  it('shows edits of one field as one row, which the keyboard opens and closes, and goes through each', async (test) => {
    const typed = Array.from('hello', (_, index) => ({
      t: 10 + index,
      type: 'action',
      action: { type: 'textBox/edited', payload: { text: 'hello'.slice(0, index + 1) } },
      window: 1,
    }));
    const opened = { t: 1, type: 'action', action: { type: 'window/opened', payload: { number: 1 } } };
    const sent = { t: 20, type: 'action', action: { type: 'textBox/sent' }, window: 1 };
    const capture = join(folderFor(test), 'edits.parley.jsonl');
    writeFileSync(capture, captureText([opened, ...typed, sent]));
    const { page, at, go } = await open({ capture });
    const group = grid(page).getByRole('button', { name: '5 edits' });
    const isOpen = () => group.getAttribute('aria-expanded');
    await group.waitFor();
    expect(await listed(page)).toEqual([1, 6, 7]);
    expect(await page.locator('[data-step="6"] .summary').textContent()).toBe(
      '5 editstextBox/edited "hello", window 1',
    );
    // Where the kind shows the type, the summary is what the action contains.
    const inRow = (part: string) => page.locator(`[data-step="6"] ${part}`);
    expect(await inRow('.kind').textContent()).toBe('◆action textBox/edited');
    expect(await inRow('.kind-type').isVisible()).toBe(true);
    expect(await inRow('.summary-type').isVisible()).toBe(false);
    await grid(page).focus();
    for (const [key, step] of [
      ['ArrowDown', 1],
      ['ArrowDown', 6],
    ] as const) {
      await page.keyboard.press(key);
      await at(step);
    }
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(isOpen, POLLING).toBe('true');
    expect(await listed(page)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await go(2);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(isOpen, POLLING).toBe('false');
    await page.keyboard.press('ArrowRight');
    await expect.poll(isOpen, POLLING).toBe('true');
    for (const step of [3, 4]) {
      await page.keyboard.press('ArrowRight');
      await at(step);
    }
    await group.click();
    await expect.poll(isOpen, POLLING).toBe('false');
    expect(await page.locator('[data-step="6"]').getAttribute('aria-selected')).toBe('true');
  });

  it('says that a capture with only a header has no steps, and disables playing', async () => {
    const { page, problems } = await open({ capture: captureNamed('header-only') });
    await page.getByText('This capture has no steps').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });
});
