import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, vi } from 'vitest';
import { type ScriptedPlatform, startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { startParley } from './startParley.ts';
import { login } from './signUp.ts';
import { snapshot } from './message.ts';
import { workerBrowser } from './chromium.ts';

const CONNECTED = 'main[data-view="conversation"][data-connection="connected"]';

let started: ReturnType<typeof start> | undefined;

/** Starts the real messenger and a scripted platform once for all test files; returns a function that gives them to the tests of a file. */
export function setUpScripted() {
  let current: Awaited<ReturnType<typeof start>> | undefined;
  beforeAll(async () => {
    current = await (started ??= start());
  });
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') current?.forgetSignedIn();
  });
  return () => {
    if (current === undefined) throw new Error('The messenger can be used in tests only.');
    return current.scripted;
  };
}

async function start() {
  const platform = await startPlatform();
  const [browser, parley] = await Promise.all([
    workerBrowser(),
    startParley({ env: platformEnvironment(platform) }),
  ]);
  process.once('exit', () => {
    parley.process.kill();
    rmSync(parley.dataDir, { recursive: true, force: true });
  });
  // A separate context, in which a test may open another page.
  const permissions = ['microphone', 'clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ reducedMotion: 'reduce', permissions });
  const page = await context.newPage();
  await page.goto(parley.url);

  /** Reloads the messenger's page. All tests share one page, because a load is faster than a new page. */
  const open = async () => {
    await page.goto(new URL(parley.url).origin);
    await page.locator('main:not([data-view="splash"])').waitFor();
    return page;
  };
  let last: PlatformSocket | undefined;
  const logOut = page.getByRole('button', { name: 'Log out' });
  /** Returns whether the page is signed in, and no dialog is open, which would prevent a click. */
  const canLogOut = async () =>
    last !== undefined &&
    (await logOut.isVisible()) &&
    (await page.locator('[role$="dialog"], dialog[open]').count()) === 0;
  /** Returns the page signed out: signs out without a load if the test before left it signed in; otherwise opens it. */
  const openSignedOut = async () => {
    if (!(await canLogOut())) await open();
    if (await logOut.isVisible()) await logOut.click();
    await page.locator('main[data-view="login"]').waitFor();
    // The reason of a sign-out is shown again when main has not heard yet that the page before showed it.
    const ok = page.getByRole('alertdialog').getByRole('button', { name: 'OK' });
    if (await ok.isVisible()) await ok.click();
    return page;
  };
  /** Signs in after {@link openSignedOut}; resolves when the page is connected. `socket` is the platform's end of the connection. */
  const openSignedIn = async (account = 'account-1') => {
    await openSignedOut();
    platform.auth.answer({ body: account });
    const next = nextSocket(platform);
    await login(page);
    last = await next();
    await connect(page, last);
    return { page, socket: last };
  };
  /** Returns the page connected and without messages, as quickly as the test before allows; its other state and unread frames remain. */
  const signedIn = async () => {
    const isConnected = last === platform.sockets.all.at(-1) && (await page.locator(CONNECTED).isVisible());
    if (last === undefined || !isConnected) return openSignedIn();
    const articles = page.getByRole('article');
    if ((await articles.count()) > 0) {
      // Of another person: the tests' snapshots, which follow, are not announced.
      last.send({ ...snapshot().frame, person: '' });
      await articles.first().waitFor({ state: 'detached' });
      // The snapshot on `message` arrives before this answer.
      await page.evaluate(() => window.parley.invoke('encode', new ArrayBuffer(0)));
    }
    return { page, socket: last };
  };
  return {
    scripted: { browser, platform, parley, page, openSignedOut, openSignedIn, signedIn },
    forgetSignedIn: () => void (last = undefined),
  };
}

/** Counts the platform's sockets now; the returned function waits for the next one. */
export function nextSocket({ sockets }: ScriptedPlatform): () => Promise<PlatformSocket> {
  const before = sockets.all.length;
  return () => vi.waitUntil(() => sockets.all[before], POLLING);
}

/** Confirms the connection with a pong at once, without waiting for the first ping. */
export async function connect(page: Page, socket: PlatformSocket): Promise<void> {
  socket.pong();
  await page.locator(CONNECTED).waitFor();
}
