import { type Browser, type LaunchOptions, chromium } from 'playwright-core';

/** The path of the complete Chromium. */
export const CHROMIUM = process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium';

/** Arguments that prevent requests of Chromium's own. */
export const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function launch(executablePath: string, options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ ...options, executablePath, args: [...QUIET, ...(options.args ?? [])] });
}

/**
 * Launches Chromium's headless shell from Debian, or the browser that `PARLEY_CHROMIUM` names. It shows pages without the
 * browser's user interface, and needs half the processor time.
 */
export const launchHeadlessShell = (options: LaunchOptions = {}): Promise<Browser> =>
  launch(process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium-headless-shell', options);

/** Launches the complete Chromium, which supports permissions, background tabs and pop-up blocking. */
export const launchChromium = (options: LaunchOptions = {}): Promise<Browser> => launch(CHROMIUM, options);
