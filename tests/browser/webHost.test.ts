import { describe, expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';
import { setUpFixtureHost, windowOf } from './harness/setUpFixtureHost.ts';

/** Tests the web host in a real browser, with a small main process. */

/** Sends on one of the fixture’s channels, as its page can. */
const send = async (page: Page, channel: string) =>
  page.evaluate((name) => {
    const api: unknown = Reflect.get(globalThis, 'fixture');
    if (typeof api === 'object' && api !== null && 'send' in api && typeof api.send === 'function') {
      api.send(name);
    }
  }, channel);

describe('a page of a running host', () => {
  const host = setUpFixtureHost('file');
  let address: string | undefined;

  /** Opens another tab in the browser that the host knows. */
  const open = async () => {
    const page = await host().visit((address ??= await host().start()));
    address = new URL('/', page.url()).href;
    onTestFinished(() => page.close());
    return page;
  };

  it('is the same window after a reload; a second tab is another window', async () => {
    const page = await open();
    const first = await windowOf(page);
    for (let times = 0; times < 5; times += 1) {
      await page.reload();
      expect(await windowOf(page)).toBe(first);
    }
    const second = await open();
    expect(await windowOf(second)).not.toBe(first);
  });

  it('shows that it is closed, keeps the keyboard focus, and opens again where it was', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Echo' }).focus();
    await send(page, 'close');
    const overlay = page.getByRole('dialog', { name: 'This window is closed.' });
    await overlay.getByText('The session goes on.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await overlay.isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await overlay.waitFor({ state: 'hidden' });
    const echo = page.getByRole('button', { name: 'Echo' });
    await expect.poll(() => echo.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('shows that it is minimised, and restores', async () => {
    const page = await open();
    await send(page, 'minimize');
    await page.getByRole('dialog', { name: 'This window is minimised.' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Echo' }).isVisible()).toBe(true);
  });

  it('opens again with a new document and window after its window was destroyed', async () => {
    const page = await open();
    const first = await windowOf(page);
    await send(page, 'destroy');
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => windowOf(page)).not.toBe(first);
  });

  it('contract §3 web host: shows a notification as a note without the permission; a click reaches main, also when the window is closed', async () => {
    const page = await open();
    await send(page, 'notify');
    const notes = page.getByRole('region', { name: 'Notifications' });
    await notes.getByRole('button', { name: 'Ada Hello' }).click();
    await page.getByText('clicked').waitFor();
    await expect.poll(() => notes.getByRole('button').count()).toBe(0);
    await send(page, 'close');
    await send(page, 'notify');
    await notes.getByRole('button', { name: 'Ada Hello' }).click();
    await page.getByText('clicked').nth(1).waitFor();
  });

  it('contract §3 web host: takes its title and icon from the tray', async () => {
    const page = await open();
    await page.waitForFunction(() => document.title === 'Fixture: connected');
    const icon = page.locator('link[rel=icon]');
    await expect.poll(() => icon.getAttribute('href')).toMatch(/^data:image\/png/);
  });
});

describe('a separate host', () => {
  const host = setUpFixtureHost();

  it('serves the page for its token, exchanges messages with main, and removes the token from the address', async () => {
    const complaints: string[] = [];
    host().context.on('console', (message) => complaints.push(message.text()));
    host().context.on('weberror', (error) => complaints.push(error.error().message));
    const page = await host().open();
    expect(new URL(page.url()).search).toBe('');
    await page.getByText('from app://fixture').waitFor();
    await page.getByRole('button', { name: 'Echo' }).click();
    await page.getByText(/^when,Thu Jan 01 1970/).waitFor();
    expect(complaints).toEqual([]);
  });

  it('contract §3 web host: shows the browser’s own notification with the permission', async () => {
    await host().context.grantPermissions(['notifications']);
    await host().context.addInitScript(() => {
      const made: string[] = [];
      class Recorded extends EventTarget {
        static permission = 'granted';
        constructor(title: string) {
          super();
          made.push(title);
        }
      }
      Object.assign(globalThis, { Notification: Recorded, made });
    });
    const page = await host().open();
    await send(page, 'notify');
    await page.waitForFunction(() => String(Reflect.get(globalThis, 'made')) === 'Ada');
    expect(await page.getByRole('button', { name: 'Ada Hello' }).count()).toBe(0);
  });

  it('shows in the page that it has ended; both pages work again after a restart', async () => {
    const address = await host().start();
    const page = await host().visit(address);
    await host().end();
    await page.getByRole('dialog', { name: 'Parley has stopped. Start it again with npm start.' }).waitFor();
    const again = await host().start({ port: new URL(address).port });
    const entered = await host().visit(again);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const names = new Set([await windowOf(entered), await windowOf(page)]);
    expect(names).toEqual(new Set(['window 1', 'window 2']));
  });
});
