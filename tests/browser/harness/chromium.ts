import { type Browser, type LaunchOptions, chromium } from 'playwright-core';
import { FAKE_MICROPHONE } from './media.ts';

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

/** Launches Debian's headless shell, or the browser that `PARLEY_CHROMIUM` names. It needs half the processor time of the complete one. */
export const launchHeadlessShell = (options: LaunchOptions = {}): Promise<Browser> =>
  launch(process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium-headless-shell', options);

/** Launches the complete Chromium, which supports permissions, background tabs and pop-up blocking. */
export const launchChromium = (options: LaunchOptions = {}): Promise<Browser> => launch(CHROMIUM, options);

let browser: Promise<Browser> | undefined;

/** Returns the one browser of the tests, with a fake microphone, whose scroll bars take up room. Close only what you open in it. */
export function workerBrowser(): Promise<Browser> {
  if (browser === undefined) {
    // Vitest ends a worker by SIGTERM, which Playwright would handle by closing the browser and keeping the worker alive.
    process.once('SIGTERM', () => void endWorker());
    browser = launchHeadlessShell({
      // Threads of V8 and for drawing, and a process for what they draw, would take the cores from the tests beside it.
      args: [
        ...FAKE_MICROPHONE,
        '--js-flags=--single-threaded',
        '--num-raster-threads=1',
        '--in-process-gpu',
      ],
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
