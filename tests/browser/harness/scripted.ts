import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { type ScriptedPlatform, startPlatform } from '#tests/builders/platform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { PATIENTLY } from '#tests/builders/patiently.ts';
import { launchHeadlessShell } from './chromium.ts';
import { type RunningParley, startParley } from './parley.ts';
import { login } from './login.ts';
import { closeContexts, workerBrowser } from './workerBrowser.ts';

/** The messenger as people run it, a browser, and a platform whose every answer the test decides. */
export interface Scripted {
  readonly browser: Browser;
  readonly platform: ScriptedPlatform;
  readonly parley: RunningParley;
  /** Loads the messenger's page anew, in a browser that it knows. One page serves all tests: it loads faster than it is made. */
  open(): Promise<Page>;
  /** Opens it signed out, whatever was before. */
  openSignedOut(): Promise<Page>;
  /** Opens it newly signed in and connected; the socket is the platform's end of its connection. */
  openSignedIn(account?: string): Promise<{ readonly page: Page; readonly socket: PlatformSocket }>;
}

interface Options {
  /** Of the messenger, beside the platform's addresses. */
  readonly env?: Readonly<Record<string, string>>;
  /** The whole of Chromium with these arguments, where its headless shell is not enough. */
  readonly chromium?: string[];
  /** Chromium's headless shell with these arguments. */
  readonly shell?: string[];
  readonly context?: BrowserContextOptions;
}

/** In a test file: starts all three once, and gives them to its tests. */
export function setUpScripted(options: Options = {}): () => Scripted {
  let started: Awaited<ReturnType<typeof start>> | undefined;
  beforeAll(async () => {
    started = await start(options);
  });
  afterAll(() => started?.stop());
  return () => {
    if (started === undefined) throw new Error('The messenger can be used in tests only.');
    return started.scripted;
  };
}

/** What names a platform to `npm start`. */
export const addressesOf = ({ apiUrl, platformUrl }: ScriptedPlatform): Record<string, string> => ({
  PARLEY_API_URL: apiUrl,
  PARLEY_PLATFORM_URL: platformUrl,
});

async function start({ env = {}, chromium, shell, context = {} }: Options) {
  const platform = await startPlatform();
  const [browser, parley] = await Promise.all([
    shell === undefined ? workerBrowser(chromium) : workerBrowser(shell, launchHeadlessShell),
    startParley({ env: { ...addressesOf(platform), ...env } }),
  ]);
  // A context of its own, in which a test may open one more page.
  const page = await (await browser.newContext({ reducedMotion: 'reduce', ...context })).newPage();
  await page.goto(parley.url);

  const open = async () => {
    await page.goto(new URL(parley.url).origin);
    await page.locator('main:not([data-view="splash"])').waitFor();
    return page;
  };
  const openSignedOut = async () => {
    await open();
    const logOut = page.getByRole('button', { name: 'Log out' });
    if (await logOut.isVisible()) await logOut.click();
    await page.locator('main[data-view="login"]').waitFor();
    return page;
  };
  const scripted: Scripted = {
    browser,
    platform,
    parley,
    open,
    openSignedOut,
    async openSignedIn(account = 'account-1') {
      await openSignedOut();
      platform.auth.answer({ body: account });
      const next = nextSocket(platform);
      await login(page);
      const socket = await next();
      await connect(page, socket);
      return { page, socket };
    },
  };
  return {
    scripted,
    async stop() {
      await closeContexts(browser);
      await parley.stop();
      await platform.stop();
    },
  };
}

/** Looks at the platform's sockets now; what it gives waits for the next one that comes. */
export function nextSocket({ sockets }: ScriptedPlatform): () => Promise<PlatformSocket> {
  const before = sockets.all.length;
  return () => vi.waitUntil(() => sockets.all[before], PATIENTLY);
}

/** Connected by a pong at once, without waiting for the first ping. */
export async function connect(page: Page, socket: PlatformSocket): Promise<void> {
  socket.pong();
  await page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();
}
