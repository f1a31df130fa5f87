import type { Browser, Page } from 'playwright-core';
import { launchHeadlessShell } from '#tests/browser/harness/chromium.ts';
import type { Soak } from '../run/scenario.ts';

/** A page of the messenger in a browser of its own context. */
export interface OpenPage {
  readonly page: Page;
  /** The errors that no script of the page has caught. */
  readonly errors: readonly string[];
  /** The lengths of the frames that the page has received on its sockets, in characters. */
  readonly frameLengths: readonly number[];
}

/** Playwright would end this process at a signal; the soak reports first. */
const launch = () => launchHeadlessShell({ handleSIGINT: false, handleSIGTERM: false });

let browser: Promise<Browser> | undefined;

/** One browser serves all scenarios: it starts more slowly than a page opens. */
async function sharedBrowser(): Promise<Browser> {
  const current = await browser;
  if (current?.isConnected() !== true) browser = launch();
  return (await browser) ?? launch();
}

/** Ends the browser, if one was started. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/**
 * Opens an address in a fresh browser context, closed with the scenario.
 * @param script runs in the page before its own scripts.
 */
export async function openPage(soak: Soak, url: string, script = ''): Promise<OpenPage> {
  return openIn(soak, await sharedBrowser(), { url, script });
}

/** The same for a page that is not the messenger's: does not wait for its view. */
export async function openAddress(soak: Soak, url: string): Promise<OpenPage> {
  return openBlank(soak, await sharedBrowser(), { url, script: '' });
}

/** The same in a browser of the scenario's own, whose processes it may stop. */
export async function openOwnPage(
  soak: Soak,
  url: string,
): Promise<OpenPage & { readonly browser: Browser }> {
  const own = await launch();
  soak.defer(() => own.close());
  return { browser: own, ...(await openIn(soak, own, { url, script: '' })) };
}

interface Address {
  readonly url: string;
  readonly script: string;
}

async function openIn(soak: Soak, own: Browser, address: Address): Promise<OpenPage> {
  const open = await openBlank(soak, own, address);
  await signedInOrOut(open.page);
  return open;
}

async function openBlank(soak: Soak, own: Browser, { url, script }: Address): Promise<OpenPage> {
  const context = await own.newContext({ reducedMotion: 'reduce' });
  soak.defer(() => context.close());
  await context.addInitScript(script);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('crash', () => errors.push('the page crashed'));
  const frameLengths: number[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frameLengths.push(payload.length)),
  );
  await page.goto(url);
  return { page, errors, frameLengths };
}

/**
 * Waits until the page knows whether a person is signed in; gives its view. After kills during two starts the messenger
 * asks before it opens the conversation: it is told to.
 */
export async function signedInOrOut(page: Page): Promise<'login' | 'conversation'> {
  await page.locator('main:not([data-view="splash"])').waitFor();
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  if (await tryAgain.isVisible()) await tryAgain.click();
  return (await page.locator('main').getAttribute('data-view')) === 'login' ? 'login' : 'conversation';
}

/** The number of the newest message that the page shows, from ids such as `m42`; 0 for none. */
export const newestShown = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const ids = Array.from(document.querySelectorAll<HTMLElement>('article[data-message-id]'), (article) =>
      Number((article.dataset['messageId'] ?? '').replace(/^\D+/, '')),
    );
    return Math.max(0, ...ids.filter((id) => Number.isFinite(id)));
  });
