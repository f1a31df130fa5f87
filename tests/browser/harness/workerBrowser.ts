import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium, launchHeadlessShell } from './chromium.ts';
import { FAKE_MICROPHONE } from './watchMicrophones.ts';

const browsers = new Map<string, Promise<Browser>>();

/**
 * Returns the headless shell of this worker with these arguments, which its test files share: it starts once and ends with the
 * worker. Do not close it: close what you open in it.
 */
export const workerBrowser = (args: string[] = []): Promise<Browser> =>
  startOnce(JSON.stringify(args), () => launchHeadlessShell({ ...OURS, args }));

/**
 * Returns the complete Chromium of this worker, which its test files share as {@link workerBrowser}. It has a fake microphone, and its
 * pop-up blocker, which Playwright turns off by default.
 */
export const workerChromium = (): Promise<Browser> =>
  startOnce('complete', () =>
    launchChromium({ ...OURS, args: FAKE_MICROPHONE, ignoreDefaultArgs: ['--disable-popup-blocking'] }),
  );

/** Without this, Playwright handles SIGTERM: it closes the browser and keeps the worker alive. */
const OURS = { handleSIGTERM: false };

function startOnce(key: string, launch: () => Promise<Browser>): Promise<Browser> {
  // Vitest ends a worker by SIGTERM.
  if (browsers.size === 0) process.once('SIGTERM', () => void closeBrowsers());
  const browser = browsers.get(key) ?? launch();
  browsers.set(key, browser);
  return browser;
}

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
