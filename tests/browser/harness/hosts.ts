import type { Page } from 'playwright-core';
import { electronRuntime } from '../../../src/start/electronHost.ts';
import { openElectron } from '../../electron/openElectron.ts';
import { startParley } from './startParley.ts';
import { workerBrowser } from './workerBrowser.ts';

/** The messenger in one of its hosts, signed out, with its first window. */
export interface OpenMessenger {
  readonly page: Page;
  /** Opens another window of the same messenger, if the host can open one from outside. */
  readonly openWindow?: () => Promise<Page>;
  close(): Promise<void>;
}

async function openInTheWebHost(): Promise<OpenMessenger> {
  const [browser, parley] = await Promise.all([workerBrowser(), startParley()]);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(parley.url);
  return {
    page,
    async openWindow() {
      const second = await context.newPage();
      await second.goto(new URL(parley.url).origin);
      return second;
    },
    async close() {
      await context.close();
      await parley.stop();
    },
  };
}

const runtime = electronRuntime();
if (runtime === undefined) {
  process.stderr.write('Electron’s runtime is not installed: these tests run in the web host only.\n');
}

/** The hosts on this machine, each with a function that opens the messenger there. */
export const hosts: readonly (readonly [name: string, open: () => Promise<OpenMessenger>])[] = [
  ['the web host', openInTheWebHost],
  ...(runtime === undefined ? [] : ([['Electron', () => openElectron(runtime, ['--no-sandbox'])]] as const)),
];
