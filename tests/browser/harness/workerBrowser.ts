import type { Browser } from 'playwright-core';
import { launchHeadlessShell } from './chromium.ts';
import { FAKE_MICROPHONE } from './watchMicrophones.ts';

let browser: Promise<Browser> | undefined;

/**
 * Returns the one browser of the tests: a headless shell with a fake microphone, whose scroll bars take up room. It starts once and ends with the
 * worker. Do not close it: close what you open in it.
 */
export function workerBrowser(): Promise<Browser> {
  if (browser === undefined) {
    // Vitest ends a worker by SIGTERM, which Playwright would handle by closing the browser and keeping the worker alive.
    process.once('SIGTERM', () => void endWorker());
    browser = launchHeadlessShell({
      args: FAKE_MICROPHONE,
      handleSIGTERM: false,
      ignoreDefaultArgs: ['--hide-scrollbars'],
    });
  }
  return browser;
}

async function endWorker(): Promise<void> {
  await (await browser)?.close();
  process.exit();
}
