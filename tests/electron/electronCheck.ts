import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { _electron } from 'playwright-core';
import { startPlatform } from '#platform/startPlatform.ts';
import { launchHeadlessShell } from '../browser/harness/chromium.ts';
import { startParley } from '../browser/harness/startParley.ts';
import { electronRuntime } from '../../src/start/electronHost.ts';
import type { CheckResult, CheckedHost } from './checks.ts';
import { ELECTRON_CHECKS, PAGE_CHECKS, ROOT, runChecks } from './checks.ts';

/** `npm run electron:check`: prints a table of checks in Electron's runtime, or in the web host without it or with `PARLEY_HOST=web`. */
const runtime = process.env.PARLEY_HOST === 'web' ? undefined : electronRuntime();

/** Starts the messenger in Electron's runtime; resolves when its first window is open. */
async function openElectron(executablePath: string): Promise<CheckedHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  const platform = await startPlatform({
    dataFile: join(dataDir, 'platform.sqlite'),
    port: 0,
    logger: pino({ enabled: false }),
  });
  const electron = await _electron.launch({
    executablePath,
    args: [join(ROOT, 'out/electron/main.js')],
    env: {
      ...process.env,
      PARLEY_DATA_DIR: dataDir,
      PARLEY_API_URL: platform.apiUrl,
      PARLEY_PLATFORM_URL: platform.platformUrl,
    },
  });
  return {
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
async function openWebHost(): Promise<CheckedHost> {
  const browser = await launchHeadlessShell();
  const parley = await startParley({ program: join(ROOT, 'out/start/start.js') });
  const page = await browser.newPage();
  await page.goto(parley.url);
  return {
    electron: null,
    page,
    async close() {
      await browser.close();
      await parley.stop();
    },
  };
}

/** Opens the messenger and runs the checks; a messenger that does not open is a failed check. */
async function check(): Promise<CheckResult[]> {
  let host;
  try {
    host = runtime === undefined ? await openWebHost() : await openElectron(runtime);
  } catch (error) {
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    const opened: CheckResult = { name: 'messenger opened', result: 'failed', detail };
    const names = Object.keys({ ...PAGE_CHECKS, ...ELECTRON_CHECKS });
    const others = names.map((name): CheckResult => ({ name, result: 'not run', detail: '' }));
    return [opened, ...others];
  }
  try {
    return await runChecks(host);
  } finally {
    await host.close();
  }
}

const HEADER = { name: 'check', result: 'result', detail: 'detail' };

/** Returns a table of the results, below its title. */
function formatResults(title: string, results: readonly CheckResult[]): string {
  const rows = [HEADER, ...results];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = ({ name, result, detail }: typeof HEADER) =>
    `${name.padEnd(width)}  ${result.padEnd('not run'.length)}  ${detail}`.trimEnd();
  return `${title}\n\n${rows.map((row) => `${line(row)}\n`).join('')}`;
}

const results = await check();
process.stdout.write(
  formatResults(runtime === undefined ? 'Parley in the web host' : 'Parley in Electron', results),
);
if (runtime === undefined)
  process.stdout.write(
    '\nElectron’s runtime was not used. To check it, run `npm ci && npx install-electron` in packaging/ on a machine with a display.\n',
  );
process.exit(results.some(({ result }) => result === 'failed') ? 1 : 0);
