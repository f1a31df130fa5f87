import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium, launchHeadlessShell } from './chromium.ts';

const browsers = new Map<string, Promise<Browser>>();

/**
 * Returns a browser of this worker, which its test files share: it starts once and ends with the worker. Do not close it: close
 * what you open in it.
 * @param args for Chromium.
 * @param launch starts the complete Chromium when there are arguments, otherwise its headless shell.
 */
export function workerBrowser(
  args?: string[],
  launch = args === undefined ? launchHeadlessShell : launchChromium,
): Promise<Browser> {
  // Vitest ends a worker by SIGTERM.
  if (browsers.size === 0) process.once('SIGTERM', () => void closeBrowsers());
  const key = JSON.stringify([launch.name, args]);
  const browser = browsers.get(key) ?? launch({ ...OURS, ...(args && { args }) });
  browsers.set(key, browser);
  return browser;
}

/** Without this, Playwright handles SIGTERM: it closes the browser and keeps the worker alive. */
const OURS = { handleSIGTERM: false };

async function closeBrowsers(): Promise<void> {
  await Promise.allSettled(Array.from(browsers.values(), async (browser) => (await browser).close()));
  process.exit();
}

/** Closes everything that is open in a browser. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** Returns the worker's headless shell; closes what is open in it after the file's tests. Call it in a test file. */
export function setUpBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await workerBrowser();
  });
  afterAll(() => closeContexts(browser));
  return () => {
    if (browser === undefined) throw new Error('The browser can be used in tests only.');
    return browser;
  };
}
