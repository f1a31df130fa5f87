import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpInspector } from './harness/inspector.ts';

/** Tests the inspector of an app that is not Parley, as `open --app` serves it. */

const open = setUpInspector();

const BOARD = resolve(import.meta.dirname, '../../../examples/task-board');

test('shows the task board as its pane draws it, its steps and its state, and nothing of Parley', async () => {
  const { page, go, step, problems } = await open({
    capture: `${BOARD}/captures/one-person.parley.jsonl`,
    app: `${BOARD}/adapter.ts`,
  });
  const pane = page.getByRole('region', { name: 'App pane' });
  const cards = (heading: string) =>
    pane.locator('section', { has: page.getByRole('heading', { name: heading }) }).getByRole('listitem');
  await go(22);
  await expect.poll(() => cards('Done (1)').allTextContents(), POLLING).toEqual(['Write the minutes']);
  await page.keyboard.press('End');
  await pane.getByText('Not connected').waitFor();
  const search = page.getByRole('search', { name: 'Go to' });
  expect(await search.getByRole('option').allTextContents()).not.toContain('Message');
  await search.getByRole('textbox').fill('state.columns[2].cards.length == 2');
  await search.getByRole('button', { name: 'Find before' }).click();
  await expect.poll(step, POLLING).toBe(25);
  await expect
    .poll(() => cards('Done (2)').allTextContents(), POLLING)
    .toEqual(['Write the minutes', 'Order coffee and tea']);
  const row = page.getByRole('row', { selected: true });
  expect(await row.textContent()).toContain('applied cardMoved');
  await page.getByRole('tab', { name: 'State' }).click();
  await page.getByRole('treeitem').filter({ hasText: 'isConnected' }).waitFor();
  const text = await page.locator('body').textContent();
  expect(text).not.toMatch(/Conversation|Queue|message/);
  expect(problems).toEqual([]);
});
