import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium, launchHeadlessShell } from './chromium.ts';

const browsers = new Map<string, Promise<Browser>>();

/**
 * Returns a browser of this worker, which its test files share: started once, ended with the worker. Do not close it: close
 * what is opened in it.
 * @param args of the whole of Chromium; without them, it is the headless shell.
 */
export function workerBrowser(args?: string[]): Promise<Browser> {
  // Vitest ends a worker by SIGTERM.
  if (browsers.size === 0) process.once('SIGTERM', () => void closeBrowsers());
  const key = JSON.stringify(args ?? 'headless shell');
  const browser =
    browsers.get(key) ?? (args === undefined ? launchHeadlessShell(OURS) : launchChromium({ ...OURS, args }));
  browsers.set(key, browser);
  return browser;
}

/** Playwright would close the browser, too, but let the worker live. */
const OURS = { handleSIGTERM: false };

async function closeBrowsers(): Promise<void> {
  await Promise.allSettled(Array.from(browsers.values(), async (browser) => (await browser).close()));
  process.exit();
}

/** Closes everything that is open in a browser. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** In a test file: returns the worker's headless shell; closes what is open in it after the file's tests. */
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
