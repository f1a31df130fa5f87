import { type Browser, chromium } from 'playwright-core';

/**
 * Chromium as Debian has it, or the one that `PARLEY_CHROMIUM` names; quiet on a closed network.
 * @param without arguments that Playwright would give it of its own accord.
 */
export const launchChromium = (
  more: readonly string[] = [],
  without: readonly string[] = [],
): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
    ignoreDefaultArgs: [...without],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
