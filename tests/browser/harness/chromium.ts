import { type Browser, type BrowserContext, type LaunchOptions, chromium } from 'playwright-core';

/** The whole of Chromium. */
export const CHROMIUM = process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium';

/** Arguments that keep it quiet on a closed network. */
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
 * What shows pages in Chromium, as Debian has it, or the browser that `PARLEY_CHROMIUM` names. The browser around the
 * pages is missing, and with it half of the processor's time.
 */
export const launchHeadlessShell = (options: LaunchOptions = {}): Promise<Browser> =>
  launch(process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium-headless-shell', options);

/** The whole of Chromium: it asks for permissions, keeps tabs in the background and blocks windows that nobody asked for. */
export const launchChromium = (options: LaunchOptions = {}): Promise<Browser> => launch(CHROMIUM, options);

/** The whole of Chromium with a profile of its own, which is kept when it is closed. */
export const launchWithProfile = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: QUIET });
