import { expect, test } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const frame = (id: string, text: string) =>
  JSON.stringify({ modifier: 'ai', id, content: [{ category: 'text', text }] });
const RECORDS = [
  { t: 0, type: 'open' },
  { t: 1, type: 'recv', data: JSON.stringify({ person: 'Ada', messages: [] }) },
  { t: 200, type: 'recv', data: frame('m-1', 'recorded') },
  { t: 400, type: 'recv', data: frame('m-2', `${'a'.repeat(50_000)}!`) },
];

test('stops a search that never ends and says so; the page can be used, with the capture, its edits, the filter and the step', async () => {
  const inFolder = await temporaryFolder();
  const capture = await writeCapture(inFolder('x.parley.jsonl'), RECORDS);
  // The page’s clock stands still, the worker’s does not.
  const { page, at, go, problems } = await open({
    capture,
    prepare: async (own) => {
      await own.clock.install({ time: 0 });
      await own.clock.pauseAt(3_600_000);
    },
  });
  const messages = page.getByRole('log', { name: 'Conversation' }).getByRole('article');
  await go(4);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('What if record 3 were this?').fill(frame('m-1', 'edited'));
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => messages.first().textContent(), POLLING).toContain('edited');
  await page.getByLabel('Filter by text').fill('edited');
  const rows = page.getByRole('grid', { name: 'Steps' }).getByRole('row');
  // The head, the frame and its update.
  await expect.poll(() => rows.count(), POLLING).toBe(3);
  await at(5);

  const field = page.getByLabel('Look for', { exact: true });
  await page.getByLabel('What to look for').selectOption('Frame has');
  await field.fill('/(a+)+$/');
  await page.getByRole('button', { name: 'Find after' }).click();
  const note = page.locator('.field-error');
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return note.textContent();
    }, POLLING)
    .toContain('took more than 2 s at one step and was stopped. Simplify its pattern');
  const announced = page.getByRole('search', { name: 'Go to' }).getByRole('status');
  expect(await announced.textContent()).toContain('The capture and its edits are loaded again.');
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('/(a+)+$/');

  await page.getByRole('button', { name: 'Previous step' }).click();
  await at(4);
  await page.getByRole('button', { name: 'Next step' }).click();
  await at(5);
  expect(await messages.first().textContent()).toContain('edited');
  await page.getByRole('tab', { name: 'What if (1)' }).waitFor();
  expect(await rows.count()).toBe(3);
  await field.fill('/edit(e)d/');
  await page.getByRole('button', { name: 'Find before' }).click();
  await at(4);
  expect(problems).toEqual([]);
});
