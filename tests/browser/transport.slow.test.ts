import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { type TestContext, afterAll, beforeAll, expect, test } from 'vitest';
import { startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import { manyFiles, manyMessages } from '../../bench/transport/startConnected.ts';
import { createDataFolder, signIn } from '../../soak/harness/startMessenger.ts';
import { launchHeadlessShell } from './harness/chromium.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { message, snapshot, text } from './harness/message.ts';

/** Tests long conversations in a real browser; `bench/transport/transportBenchmark.ts` measures their times. */
let browser: Browser;
beforeAll(async () => {
  browser = await launchHeadlessShell();
});
afterAll(() => browser.close());

const FILES = 225;
const MESSAGES = 100_000;
const article = (page: Page, id: string) => page.locator(`[data-message-id="${id}"]`);

/** Starts the messenger with a stored account; returns its connection to the platform and an empty page. */
async function started(context: TestContext) {
  const platform = await startPlatform();
  context.onTestFinished(() => platform.stop());
  const dataDir = createDataFolder({ defer: context.onTestFinished });
  signIn(dataDir, platform.platformUrl);
  const parley = await startParleyFor(context, { dataDir, env: platformEnvironment(platform) });
  const socket = await platform.sockets.next();
  const page = await browser.newPage();
  context.onTestFinished(() => page.close());
  const lines: string[] = [];
  page.on('websocket', (line) => {
    lines.push('opened');
    line.on('close', () => lines.push('closed'));
  });
  const blobs: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/blob/')) blobs.push(pathname);
  });
  return { platform, parley, socket, page, lines, blobs };
}

test('a conversation of 300 MB opens and reloads, and a file is fetched when it is saved', async (context) => {
  const { platform, parley, socket, page, lines, blobs } = await started(context);
  socket.sendText(manyFiles(FILES));
  await page.goto(parley.url);
  await article(page, `m${FILES}`).waitFor();
  expect(blobs).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    article(page, `m${FILES}`).locator('a.file').click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${FILES}.bin`);
  // Not `toEqual`: it takes seconds, and this process cannot answer pings meanwhile.
  const saved = await readFile(await download.path());
  expect(saved.equals(Buffer.alloc(999_999, FILES % 251))).toBe(true);
  expect(new URL(download.url()).pathname).toMatch(/^\/blob\/224\/0\//);
  expect(lines).toEqual(['opened']);
  await page.reload();
  await article(page, `m${FILES}`).waitFor();
  expect(blobs).toEqual([]);
  expect(platform.upgrades.all).toHaveLength(1);
});

test('the newest of 100,000 messages that come at once is shown first, then the others while updates continue', async (context) => {
  const { parley, socket, page, lines } = await started(context);
  socket.send(snapshot(message('before', [text('before')])).frame);
  await page.goto(parley.url);
  await article(page, 'before').waitFor();
  socket.sendText(manyMessages(MESSAGES));
  await article(page, `m${MESSAGES}`).waitFor();
  socket.send(message('after', [text('after')]));
  await article(page, 'after').waitFor();
  const log = page.getByRole('log');
  await expect
    .poll(async () => {
      await log.evaluate((element) => element.scrollTo({ top: 0 }));
      return article(page, 'm1').isVisible();
    }, POLLING)
    .toBe(true);
  expect(await page.locator('.missing').count()).toBe(0);
  expect(lines).toEqual(['opened']);
});
