import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { dropCapture } from './harness/dropCapture.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const LINES = readFileSync(captureNamed('recorded-reconnect'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => `${line}\n`);

/** Prepares the page as in the app, with a live session whose lines the test sends. */
async function prepareAsInApp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    /** Registers listeners and notifies them. */
    // It is sent to the page with the script.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const channel = () => {
      const listeners = new Set<(text: string) => void>();
      const subscribe = (listener: (text: string) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      };
      return { subscribe, notify: (text: string) => listeners.forEach((listener) => listener(text)) };
    };
    const [lines, end] = [channel(), channel()];
    Reflect.set(window, 'parleyInspect', { onLines: lines.subscribe, onEnded: end.subscribe });
    Reflect.set(window, 'tellLines', lines.notify);
    Reflect.set(window, 'tellEnd', end.notify);
  });
  await page.route(
    ({ pathname }) => pathname === '/',
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"source":null', '"source":{"live":true}');
      await route.fulfill({ response, body });
    },
  );
}

const sendLines = (page: Page, lines: readonly string[]) =>
  page.evaluate((text) => Reflect.get(window, 'tellLines')(text), lines.join(''));

it('follows the end of a live session until the person steps back, and again on request, after a broken line too; then opens a capture', async () => {
  const { page, at, problems } = await open({ prepare: prepareAsInApp });
  await sendLines(page, LINES.slice(0, 3));
  await page.locator('[data-phase="ready"]').waitFor();
  const follow = page.getByRole('button', { name: 'Follow' });
  expect(await follow.getAttribute('aria-pressed')).toBe('true');
  await sendLines(page, LINES.slice(3, 8));
  const steps = async () => Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
  await expect.poll(steps, POLLING).toBeGreaterThan(6);
  await at(await steps());
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => follow.getAttribute('aria-pressed'), POLLING).toBe('false');
  const stopped = (await steps()) - 1;
  await at(stopped);
  await sendLines(page, ['{"t":\n']);
  await page.getByRole('contentinfo').getByText('is not JSON; this line is skipped').waitFor();
  await sendLines(page, LINES.slice(8));
  await expect.poll(steps, POLLING).toBe(22);
  await at(stopped);
  await follow.click();
  await at(22);
  await page.locator('[data-step="22"]').waitFor();
  await page.evaluate(() => Reflect.get(window, 'tellEnd')('The session has ended.'));
  await page.getByRole('contentinfo').getByText('The session has ended.').waitFor();
  await dropCapture(page, 'echo.parley.jsonl', readFileSync(captureNamed('recorded-echo')));
  await at(0);
  await sendLines(page, ['# nothing\n']);
  expect(await page.locator('.capture-name').textContent()).toBe('echo.parley.jsonl');
  expect(await page.getByText('The session has ended.').count()).toBe(0);
  expect(problems).toEqual([]);
});
