import { expect, onTestFinished, test } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPageFiles, readPairFiles } from '#replay/inspector/serve/appPage.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from '../harness/axeViolations.ts';
import { overflowingElements, resize } from '../harness/resize.ts';
import { setUpBrowser } from '../harness/workerBrowser.ts';
import { captureNamed } from './harness/inspector.ts';

const browser = setUpBrowser();

const IMPACTS = ['minor', 'moderate', 'serious', 'critical'] as const;

/** Opens two captures side by side, as `open a b` does. */
async function openBeside(a: string, b: string) {
  const capture = await openCapture(captureNamed(a));
  const other = await openCapture(captureNamed(b));
  const inspector = await startInspector({
    files: await readPageFiles(),
    app: parleyApp,
    capture,
    other: {
      files: await readPairFiles(),
      capture: other,
      labels: [a, b],
      by: 'content',
    },
    cwd: process.cwd(),
    port: 0,
  });
  onTestFinished(() => inspector.stop());
  const page = await browser().newPage({ viewport: { width: 1440, height: 900 } });
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  await page.goto(inspector.invitation());
  await page.locator('[data-phase="ready"]').waitFor();
  return { page, problems };
}

test('shows two sessions side by side, opens where they first differ, and moves both', async () => {
  const { page, problems } = await openBeside('recorded-reconnect', 'recorded-echo');
  const text = page.getByText('The states differ from row 3 on (step 3 and step 3).');
  await text.waitFor();
  const grid = page.getByRole('grid', { name: 'Steps of both sessions' });
  const selected = grid.getByRole('row', { selected: true });
  await expect.poll(() => selected.getAttribute('data-divergence'), POLLING).toBe('true');
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.getByText('messages[0].id').waitFor();
  expect(await page.locator('.divergence-mark').count()).toBe(2);
  const sliders = page.getByRole('slider', { name: 'Step' });
  const steps = () => sliders.evaluateAll((all) => all.map((one) => one.getAttribute('aria-valuenow')));
  await page.keyboard.press('End');
  await expect.poll(steps, POLLING).toEqual(['22', '17']);
  await grid.getByText('Parley: You said: Good morning!').first().click();
  await expect.poll(steps, POLLING).toEqual(['9', '9']);
  await sliders.first().press('ArrowRight');
  await expect.poll(steps, POLLING).toEqual(['10', '10']);
  await page.keyboard.press('d');
  await expect.poll(steps, POLLING).toEqual(['3', '3']);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('First row after which the states differ').waitFor();
  expect(await axeViolations(page, IMPACTS)).toEqual([]);
  // The page behind the dialog does not move.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await steps()).toEqual(['3', '3']);
  expect(await axeViolations(page, IMPACTS)).toEqual([]);
  await resize(page, 420, 700);
  await expect.poll(() => overflowingElements(page, 'header *, main *, footer *', 1), POLLING).toEqual([]);
  expect(problems).toEqual([]);
});
