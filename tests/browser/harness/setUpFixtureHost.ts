import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Fixture, buildFixture } from '../../../src/web/testing/buildFixture.ts';
import { workerBrowser } from './workerBrowser.ts';

interface HostOptions {
  readonly port?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The greatest number of open files and connections. */
  readonly handles?: number;
}

/** The web host with a small main process for tests. */
interface FixtureHost {
  /** A browser without the cookie of a host. */
  readonly context: BrowserContext;
  /** The host's data folder. */
  readonly folder: string;
  /** Starts a host; returns the address that it prints. */
  start(options?: HostOptions): Promise<string>;
  /** Opens an address in a new tab; resolves when its window has loaded. */
  visit(address: string): Promise<Page>;
  /** Starts a host and visits it. */
  open(): Promise<Page>;
  /** Ends the hosts by SIGTERM. */
  end(): Promise<void>;
}

let building: Promise<Fixture> | undefined;

/** Builds the main process once in a worker; removes it when the worker ends. */
function fixtureOfWorker(): Promise<Fixture> {
  building ??= buildFixture().then((fixture) => {
    process.once('exit', () => fixture.remove());
    return fixture;
  });
  return building;
}

/**
 * Builds the main process once, and gives each test a browser context and a data folder. Call it in a test file.
 * @param scope `file`: all tests share them, and a test closes the pages that it opens.
 */
export function setUpFixtureHost(scope: 'test' | 'file' = 'test'): () => FixtureHost {
  let fixture: Fixture | undefined;
  let browser: Browser | undefined;
  let host: FixtureHost | undefined;
  const create = async () => {
    if (fixture === undefined || browser === undefined) throw new Error('The fixture is not built.');
    const folder = mkdtempSync(join(tmpdir(), 'parley-web-'));
    host = createFixtureHost(fixture.main, folder, await browser.newContext());
  };
  const remove = async () => {
    await host?.context.close();
    await host?.end();
    if (host !== undefined) rmSync(host.folder, { recursive: true });
    host = undefined;
  };
  beforeAll(async () => {
    [fixture, browser] = await Promise.all([fixtureOfWorker(), workerBrowser()]);
    if (scope === 'file') await create();
  });
  afterAll(() => (scope === 'file' ? remove() : undefined));
  if (scope === 'test') {
    beforeEach(create);
    afterEach(remove);
  }
  return () => {
    if (host === undefined) throw new Error('The host can be used in tests only.');
    return host;
  };
}

function createFixtureHost(main: string, folder: string, context: BrowserContext): FixtureHost {
  const running: { child: ChildProcess; exited: Promise<unknown> }[] = [];
  const host: FixtureHost = {
    context,
    folder,
    async start({ port = '0', env = {}, handles = 1024 } = {}) {
      const command = `ulimit -n ${handles}; exec "$0" "$1"`;
      const child = spawn('sh', ['-c', command, process.execPath, main], {
        env: { ...process.env, PARLEY_DATA_DIR: folder, PARLEY_PORT: port, PARLEY_OPEN: '0', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.push({ child, exited: once(child, 'exit') });
      const [line] = await once(createInterface({ input: child.stdout }), 'line');
      return String(line).replace('Parley is ready at ', '');
    },
    async visit(address) {
      const page = await context.newPage();
      await page.goto(address);
      await windowOf(page);
      return page;
    },
    open: async () => host.visit(await host.start()),
    async end() {
      for (const { child, exited } of running.splice(0)) {
        child.kill('SIGTERM');
        await exited;
      }
    },
  };
  return host;
}

/** Returns the name that main gives the page's window, once its document has loaded. */
export const windowOf = async (page: Page): Promise<string | null> =>
  page
    .getByText(/^window \d+$/)
    .first()
    .textContent();
