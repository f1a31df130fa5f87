import { appendFile, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runTool, temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { setUpInspector } from './harness/inspector.ts';

/** Tests the inspector as `open` serves it, in a browser that uses the address of the ready line. */

const open = setUpInspector();

const message = { modifier: 'ai', content: [{ category: 'text', text: 'the frigate leaves at nine' }] };
const RECORDS = [
  { t: 0, type: 'open' },
  { t: 1, type: 'recv', data: JSON.stringify({ person: 'Grace Hopper', messages: [] }) },
  { t: 2, type: 'recv', data: JSON.stringify(message) },
];

/** Opens the inspector of a new capture, in its folder. */
async function start(step?: number) {
  const inFolder = await temporaryFolder();
  const path = await writeCapture(inFolder('x.parley.jsonl'), RECORDS);
  const opened = await open({ capture: path, cwd: dirname(path), ...(step !== undefined && { step }) });
  return { inFolder, path, ...opened };
}

const stepShown = (page: Page) => page.getByRole('region', { name: 'Time travel' }).textContent();
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });

test('shows the session under the page’s policy and removes the token from the address', async () => {
  const { page, problems } = await start(5);
  await conversation(page).getByText('the frigate leaves at nine').waitFor();
  expect(page.url()).not.toContain('token');
  expect(await page.title()).toContain('x.parley.jsonl');
  expect(problems).toEqual([]);
});

test('accepts the browser on a reload and in a second tab', async () => {
  const { page } = await start(5);
  await page.reload();
  await conversation(page).getByText('the frigate leaves at nine').waitFor();
  const second = await page.context().newPage();
  onTestFinished(() => second.close());
  await second.goto(`${new URL(page.url()).origin}/#step=2`);
  await expect.poll(() => stepShown(second)).toMatch(/Step 2 of/);
});

test('opens before the first step without --step', async () => {
  const { page } = await start();
  await expect.poll(() => stepShown(page)).toMatch(/Step 0 of/);
});

test('shows the new steps of a capture that grew after a reload', async () => {
  const { page, path } = await start(99);
  await conversation(page).getByText('the frigate').waitFor();
  await appendFile(path, `${JSON.stringify({ t: 3, type: 'recv', data: '{"text":"or at ten"}' })}\n`);
  await page.reload();
  await page.locator('[data-phase="ready"]').waitFor();
  await page.keyboard.press('End');
  await expect.poll(() => conversation(page).textContent()).toContain('or at ten');
});

test('shows what is before a broken line, and the position of the line', async () => {
  const { page, path } = await start(99);
  await appendFile(path, '{"t":3}\n{"t":4,"type":"open"}\n');
  await page.reload();
  const alert = page
    .getByRole('alert')
    .getByText('x.parley.jsonl:5: has no `type`; only what is before it is used');
  await alert.waitFor();
  await expect.poll(() => conversation(page).textContent()).toContain('the frigate');
});

test('says what to do when the worker’s script is missing, also for the next capture, and recovers when it is present', async () => {
  const { page, path } = await start(5);
  await page.route('**/worker.js', (route) => route.abort());
  await page.reload();
  const alert = page.getByRole('alert');
  const words = 'could not be started; reload the page';
  await alert.getByText(words).waitFor();
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a capture' }).click();
  await (await chosen).setFiles({ name: 'y.parley.jsonl', mimeType: '', buffer: await readFile(path) });
  await alert.getByText('y.parley.jsonl could not be opened').waitFor();
  expect(await alert.textContent()).toContain(words);
  await page.unroute('**/worker.js');
  await page.reload();
  await conversation(page).getByText('the frigate leaves at nine').waitFor();
});

test('makes a redacted test that passes verify from the page’s own request', async () => {
  const { inFolder, page, path } = await start(5);
  await conversation(page).getByText('the frigate').waitFor();
  const answer = await page.evaluate(
    async (capture) => {
      const response = await fetch('make-test', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('parley-page-secret')}`,
        },
        body: JSON.stringify({ folder: 'cases', name: 'late', redact: true, capture }),
      });
      const made: unknown = await response.json();
      return made;
    },
    await readFile(path, 'utf8'),
  );
  expect(answer).toEqual({
    files: [inFolder('cases/late.parley.jsonl'), inFolder('cases/late.golden.json')],
  });
  expect(await runTool('verify', inFolder('cases'))).toMatchObject({ status: 0 });
  expect(await readFile(inFolder('cases/late.parley.jsonl'), 'utf8')).not.toMatch(/Grace|frigate/);
});
