import type { Browser, BrowserContext } from 'playwright-core';
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

/** Returns the headless shell of this worker whose scroll bars take up room: Playwright hides them by default. */
export const workerBrowserWithScrollbars = (): Promise<Browser> =>
  startOnce('scrollbars', () => launchHeadlessShell({ ...OURS, ignoreDefaultArgs: ['--hide-scrollbars'] }));

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

/** Returns the worker's headless shell; closes what the file's tests opened in it and left open. Call it in a test file. */
export function setUpBrowser(): () => Browser {
  let browser: Browser | undefined;
  let others: readonly BrowserContext[] = [];
  beforeAll(async () => {
    browser = await workerBrowser();
    others = browser.contexts();
  });
  afterAll(async () => {
    const own = browser?.contexts().filter((context) => !others.includes(context)) ?? [];
    await Promise.all(own.map((context) => context.close()));
  });
  return () => {
    if (browser === undefined) throw new Error('The browser can be used in tests only.');
    return browser;
  };
}
