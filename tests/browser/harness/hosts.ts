import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { type Page, _electron } from 'playwright-core';
import { startPlatform } from '#platform/startPlatform.ts';
import { electronRuntime } from '../../../src/start/electronHost.ts';
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

async function openInElectron(executablePath: string): Promise<OpenMessenger> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  const platform = await startPlatform({
    dataFile: join(dataDir, 'platform.json'),
    port: 0,
    logger: pino({ enabled: false }),
  });
  const app = await _electron.launch({
    executablePath,
    args: [resolve(import.meta.dirname, '../../../out/electron/main.js'), '--no-sandbox'],
    env: {
      ...process.env,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_API_URL: platform.apiUrl,
      PARLEY_PLATFORM_URL: platform.platformUrl,
    },
  });
  return {
    page: await app.firstWindow(),
    async close() {
      await app.close();
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
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
  ...(runtime === undefined ? [] : ([['Electron', () => openInElectron(runtime)]] as const)),
];
