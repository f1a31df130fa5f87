import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { dropCapture } from './harness/dropCapture.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const name = (page: Page) => page.locator('.capture-name').textContent();

describe('a link to a step', () => {
  it('opens that step, and the address follows the steps', async () => {
    const { page, at } = await open({ capture: captureNamed('streamed-text'), hash: '#step=20' });
    await at(20);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.evaluate(() => location.hash), POLLING).toBe('#step=21');
  });

  it('selects the step or the time that is typed into the address, or the last step when it is beyond the end', async () => {
    const { go, page, at, problems } = await open({ capture: captureNamed('streamed-text') });
    await go(12);
    await page.evaluate(() => {
      location.hash = '#step=99999';
    });
    await at(55);
    await page.evaluate(() => {
      location.hash = '#at=1.100';
    });
    await at(12);
    expect(problems).toEqual([]);
  });

  it('opens at an update and goes to the update that is typed into the address, or to the last step when there is none', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('streamed-text'), hash: '#update=3' });
    await at(12);
    const type = (hash: string) =>
      page.evaluate((typed) => {
        location.hash = typed;
      }, hash);
    await type('#update=5');
    await at(20);
    await type('#update=999');
    await at(55);
    await page.getByText('There is no update 999 in this session.').waitFor();
    expect(problems).toEqual([]);
  });

  it('is copied to the clipboard for the selected step', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    onTestFinished(() => page.context().clearPermissions());
    await go(12);
    await page.keyboard.press('l');
    await page.getByText('A link to step 12 is copied.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(copied).hash).toBe('#step=12');
    expect(new URL(copied).search).toBe('');
  });
});

describe('a capture that is dropped', () => {
  it('opens before its first step on an empty page', async () => {
    const { page, at, problems } = await open();
    await page.getByText('Drop a capture here, or choose one').waitFor();
    await dropCapture(page, 'echo.parley.jsonl', readFileSync(captureNamed('recorded-echo')));
    await at(0);
    expect(await name(page)).toBe('echo.parley.jsonl');
    expect(problems).toEqual([]);
  });

  it('replaces the open capture, also when it is gzipped', async () => {
    const { page, go, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await go(11);
    await dropCapture(page, 'stream.parley.jsonl.gz', gzipSync(readFileSync(captureNamed('streamed-text'))));
    await expect.poll(() => name(page), POLLING).toBe('stream.parley.jsonl.gz');
    await at(0);
    await page.keyboard.press('End');
    await at(55);
  });

  it('shows an error when it is not a capture, and opens the next one', async () => {
    const { page } = await open();
    await dropCapture(page, 'notes.txt', Buffer.from('not a capture\n'));
    const alert = page.getByRole('alert');
    await alert.getByText('notes.txt could not be opened').waitFor();
    expect(await alert.locator('.error').textContent()).toMatch(/\S/);
    await dropCapture(page, 'echo.golden.json', Buffer.from('{"format":"parley-golden"}'));
    await alert.getByText('Drop the capture, echo.parley.jsonl.').waitFor();
    await dropCapture(page, 'echo.parley.jsonl', readFileSync(captureNamed('recorded-echo')));
    await page.locator('[data-phase="ready"]').waitFor();
  });

  it.each(['Open a capture', 'Choose a capture'])('opens when it is chosen by “%s”', async (words) => {
    const { page } = await open();
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: words }).click();
    await (await chosen).setFiles(captureNamed('recorded-echo'));
    await page.locator('[data-phase="ready"]').waitFor();
    expect(await name(page)).toBe('recorded-echo.parley.jsonl');
  });
});

describe('the page’s colours', () => {
  it('follow the system, then the person’s choice of light or dark', async () => {
    const { page } = await open({ capture: captureNamed('recorded-echo') });
    await page.emulateMedia({ colorScheme: 'dark' });
    onTestFinished(() => page.emulateMedia({ colorScheme: null }));
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.getByRole('button', { name: 'Colours: as the system' }).click();
    await expect.poll(background).not.toBe(dark);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Colours: light' }).click();
    await expect.poll(background).toBe(dark);
    await page.getByRole('button', { name: 'Colours: dark' }).click();
    await page.getByRole('button', { name: 'Colours: as the system' }).waitFor();
  });
});

describe('the keys', () => {
  it('are listed by ?; Escape closes the list', async () => {
    const { page } = await open({ capture: captureNamed('recorded-echo') });
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Play or pause').waitFor();
    expect(await dialog.locator('dt').count()).toBeGreaterThan(25);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('type letters in a text field', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-echo') });
    await page.keyboard.press('/');
    await page.keyboard.type('e?1');
    expect(await page.getByLabel('Filter by text').inputValue()).toBe('e?1');
    await at(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
