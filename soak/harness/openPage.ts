import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchHeadlessShell } from '#tests/browser/harness/chromium.ts';
import type { Soak } from '../run/scenario.ts';

/** A page of the messenger in its own browser context. */
export type OpenPage = Awaited<ReturnType<typeof openBlank>>;

/** Playwright does not handle signals: the soak reports its results first. */
const launch = () => launchHeadlessShell({ handleSIGINT: false, handleSIGTERM: false });

let browser: Promise<Browser> | undefined;

/** Returns the browser of all scenarios: to start one takes longer than to open a page. */
async function getBrowser(): Promise<Browser> {
  const current = await browser;
  if (current?.isConnected() !== true) browser = launch();
  return (await browser) ?? launch();
}

/** Closes the browser, if one was started. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/**
 * Opens the messenger in a new browser context and waits for its first view. Closes the context after the scenario.
 * @param script runs in the page before the page's own scripts.
 */
export async function openPage(soak: Soak, url: string, script = ''): Promise<OpenPage> {
  return openIn(soak, await getBrowser(), { url, script });
}

type Address = Readonly<{ url: string; script?: string }>;

/** Opens any page in a new browser context and does not wait for a view. */
export async function openAddress(soak: Soak, url: string): Promise<OpenPage> {
  return openBlank(soak, await getBrowser(), { url });
}

/** Opens the messenger in a new browser, whose processes the scenario may stop. */
export async function openOwnPage(soak: Soak, url: string) {
  const own = await launch();
  soak.defer(() => own.close());
  return { browser: own, ...(await openIn(soak, own, { url })) };
}

async function openIn(soak: Soak, own: Browser, address: Address): Promise<OpenPage> {
  const open = await openBlank(soak, own, address);
  await waitForView(open.page);
  return open;
}

async function openBlank(soak: Soak, own: Browser, { url, script = '' }: Address) {
  const context = await own.newContext({ reducedMotion: 'reduce' });
  soak.defer(() => context.close());
  await context.addInitScript(script);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  /** The uncaught errors of the page. */
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('crash', () => errors.push('the page crashed'));
  /** The lengths of the frames that the page has received, in characters. */
  const frameLengths: number[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frameLengths.push(payload.length)),
  );
  await page.goto(url);
  return { page, errors, frameLengths };
}

/**
 * Waits until the page shows the form or the conversation, and returns which. After kills during two starts the messenger
 * asks before it opens the conversation: this presses "Try again".
 */
export async function waitForView(page: Page): Promise<'login' | 'conversation'> {
  await page.locator('main:not([data-view="splash"])').waitFor();
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  if (await tryAgain.isVisible()) await tryAgain.click();
  return (await page.locator('main').getAttribute('data-view')) === 'login' ? 'login' : 'conversation';
}

/** Returns the number of the newest message on the page, from ids such as `m42`; 0 without a message. */
export const newestShown = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const ids = Array.from(document.querySelectorAll<HTMLElement>('article[data-message-id]'), (article) =>
      Number((article.dataset['messageId'] ?? '').replace(/^\D+/, '')),
    );
    return Math.max(0, ...ids.filter((id) => Number.isFinite(id)));
  });

/** Returns a probe that finds whether a message is the newest one on the page. */
export const showsNewest = (page: Page, number: number) => async (): Promise<boolean> =>
  (await newestShown(page)) === number;

/** Returns an expression that keeps a process busy, by its monotonic clock. */
export const stall = (ms: number): string =>
  `{ const end = performance.now() + ${ms}; while (performance.now() < end); }`;

/** Returns a statement that keeps a process busy before its next timers. These run before sockets are read: the worst case of a stall. */
export const stallBeforeTimers = (ms: number): string => `setImmediate(() => ${stall(ms)});`;

/** Stops a process: it gets no processor time. */
export async function stopProcess(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await pause(ms);
  process.kill(pid, 'SIGCONT');
}
