import { type Browser, type LaunchOptions, chromium } from 'playwright-core';

/** Quiet on a closed network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function launch(installed: string, options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = process.env.PARLEY_CHROMIUM ?? installed;
  return chromium.launch({ ...options, executablePath, args: [...ARGUMENTS, ...(options.args ?? [])] });
}

/**
 * What shows pages in Chromium, as Debian has it, or the browser that `PARLEY_CHROMIUM` names. The browser around the
 * pages is missing, and with it half of the processor's time.
 */
export const launchHeadlessShell = (): Promise<Browser> => launch('/usr/bin/chromium-headless-shell');

/** The whole of Chromium: it asks for permissions, keeps tabs in the background and blocks windows that nobody asked for. */
export const launchChromium = (options: LaunchOptions = {}): Promise<Browser> =>
  launch('/usr/bin/chromium', options);
