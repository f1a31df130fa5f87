import { readFile, rename, stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { appended, message, messages, snapshot, text } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { BLOCKING_MS, watchLongTasks } from './harness/watchLongTasks.ts';
import { workerBrowser } from './harness/workerBrowser.ts';

const { sharedWindow } = setUpSharedWindow();

const MANY = 100_000;

/** Messages of which every second one has markup, and every thousandth one an image. */
const mixed = () =>
  Array.from({ length: MANY }, (_, at) => {
    const html = `<p>Answer <b>${at}</b></p><ul><li>one</li><li>two</li></ul>`;
    const picture = { category: 'image', text: 'evening.png', blob: eveningPicture() };
    return message(`m${at}`, [
      at % 2 === 0 ? text(`message ${at}`) : { category: 'html', html },
      ...(at % 1000 === 0 ? [picture] : []),
    ]);
  });

/** Shows many messages; resolves when all have arrived. */
async function showingMany() {
  const window = await sharedWindow();
  await window.signedIn(snapshot(...mixed()));
  await window.page.locator(`[data-message-id="m${MANY - 1}"]`).waitFor({ timeout: 300_000 });
  return { ...window, longest: await watchLongTasks(window.page) };
}

async function startExport(page: Page, format: string): Promise<void> {
  await page.evaluate(() => window.fakeMain.emit('export'));
  await page.getByRole('radio', { name: format }).check();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
}

/** Opens an exported page from a file, as a person does; returns what it shows, what it requests and its errors. */
async function openFile(path: string) {
  await rename(path, `${path}.html`);
  const context = await (await workerBrowser()).newContext({ offline: true });
  const page = await context.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (one) => problems.push(one.text()));
  page.on('request', (one) => requests.push(one.url().slice(0, 10)));
  await page.goto(`file://${path}.html`);
  return { page, problems, requests, close: () => context.close() };
}

it('exports 100,000 messages as a page without blocking the window, while updates arrive', async () => {
  const { page, apply, longest } = await showingMany();
  const start = performance.now();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 300_000 }),
    startExport(page, 'Web page'),
    page
      .locator('.work', { hasText: 'Exporting' })
      .waitFor()
      .then(() => apply(appended(message('late', [text('arrived late')])))),
  ]);
  const path = await download.path();
  const { size } = await stat(path);
  console.log(
    `HTML: ${size} bytes in ${Math.round(performance.now() - start)} ms; longest task ${await longest()} ms`,
  );
  expect(await longest()).toBeLessThan(BLOCKING_MS);
  expect(await readFile(path, 'utf8')).not.toContain('arrived late');
  const file = await openFile(path);
  expect(await file.page.locator('article').count()).toBe(MANY);
  expect(await file.page.locator('article').last().textContent()).toBe('ParleyAnswer 99999onetwo');
  const picture = file.page.locator('img').first();
  expect(await picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320);
  const colour = () => file.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await colour()).toBe('rgb(246, 246, 249)');
  await file.page.emulateMedia({ colorScheme: 'dark' });
  expect(await colour()).toBe('rgb(18, 18, 23)');
  expect(file.problems).toEqual([]);
  expect(file.requests.filter((url) => !/^(?:file|data):/u.test(url))).toEqual([]);
  await file.close();
});

it('cancels an export of 100,000 messages, which saves nothing', async () => {
  const { page, longest } = await showingMany();
  const downloads: unknown[] = [];
  page.on('download', (one) => downloads.push(one));
  await startExport(page, 'Markdown');
  await page.locator('.work').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.work').waitFor({ state: 'detached' });
  await startExport(page, 'Plain text');
  await expect.poll(() => downloads.length, { timeout: 60_000 }).toBe(1);
  expect(await page.locator('.note code').textContent()).toMatch(/\.txt$/u);
  expect(await longest()).toBeLessThan(BLOCKING_MS);
});

it('prepares the print of 100,000 messages without blocking the window', async () => {
  const { page, longest } = await showingMany();
  const start = performance.now();
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('printed');
    window.fakeMain.emit('print');
  });
  await page.locator('.work', { hasText: 'Preparing' }).waitFor();
  await page.locator('body.printed').waitFor({ timeout: 300_000 });
  console.log(
    `print: prepared in ${Math.round(performance.now() - start)} ms; longest task ${await longest()} ms`,
  );
  expect(await page.locator('.print-area article').count()).toBe(MANY);
  expect(await longest()).toBeLessThan(BLOCKING_MS);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.evaluate(() => document.body.classList.remove('printed'));
});

/** Returns the number of pages of a PDF of the window. */
const pagesOf = async (page: Page) =>
  Array.from(String(await page.pdf()).matchAll(/\/Type \/Page\b/gu)).length;

it('prints every page of a conversation as PDF, by the browser’s command and by Parley’s', async () => {
  const { page, signedIn } = await sharedWindow();
  await signedIn(snapshot(...messages(150)));
  expect(await pagesOf(page)).toBeGreaterThan(4);
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('printed');
  });
  const printed = async () => {
    await page.evaluate(() => window.fakeMain.emit('print'));
    await page.locator('body.printed').waitFor();
    const pages = await pagesOf(page);
    await page.evaluate(() => document.body.classList.remove('printed'));
    return pages;
  };
  expect(await printed()).toBeGreaterThan(4);
  await signedIn(snapshot(...messages(2000)));
  // Only a line that says what to do.
  expect(await pagesOf(page)).toBe(1);
  expect(await printed()).toBeGreaterThan(60);
});
