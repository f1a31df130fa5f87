import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { _electron } from 'playwright-core';
import { startPlatform } from '#platform/startPlatform.ts';
import { launchHeadlessShell } from '../browser/harness/chromium.ts';
import { startParley } from '../browser/harness/startParley.ts';
import { type CheckedHost, ROOT } from './check.ts';

/** The messenger in Electron, with a data folder and a built-in platform of its own. */
export interface ElectronHost extends CheckedHost {
  readonly electron: NonNullable<CheckedHost['electron']>;
}

/** Starts the messenger in Electron's runtime; resolves when its first window is open. */
export async function openElectron(executablePath: string, args: readonly string[]): Promise<ElectronHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  const platform = await startPlatform({
    dataFile: join(dataDir, 'platform.sqlite'),
    port: 0,
    logger: pino({ enabled: false }),
  });
  const electron = await _electron.launch({
    executablePath,
    args: [join(ROOT, 'out/electron/main.js'), ...args],
    env: {
      ...process.env,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_API_URL: platform.apiUrl,
      PARLEY_PLATFORM_URL: platform.platformUrl,
    },
  });
  return {
    name: 'Electron',
    electron,
    page: await electron.firstWindow(),
    async close() {
      await electron.close();
      await platform.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts the messenger in the web host, with a page in Chromium. */
export async function openWebHost(): Promise<CheckedHost> {
  const browser = await launchHeadlessShell();
  const parley = await startParley({ program: join(ROOT, 'out/start/start.js') });
  const page = await browser.newPage();
  await page.goto(parley.url);
  return {
    name: 'the web host',
    electron: null,
    page,
    async close() {
      await browser.close();
      await parley.stop();
    },
  };
}
