import { describe, expect, it, onTestFinished } from 'vitest';
import type { Page } from 'playwright-core';
import { setUpFixtureHost, windowOf } from './harness/fixtureHost.ts';

/** The web host in a real browser, with a small main process of its own. */

/** Sends on one of the fixture's channels, as its page may. */
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

  /** Opens one more tab in the browser that the host knows. */
  const open = async () => {
    const page = await host().visit((address ??= await host().start()));
    address = new URL('/', page.url()).href;
    onTestFinished(() => page.close());
    return page;
  };

  it('reloaded, is the same window; a second tab is another one', async () => {
    const page = await open();
    const first = await windowOf(page);
    for (let times = 0; times < 5; times += 1) {
      await page.reload();
      expect(await windowOf(page)).toBe(first);
    }
    const second = await open();
    expect(await windowOf(second)).not.toBe(first);
  });

  it('closed, says so, keeps the keyboard, and opens again where it was', async () => {
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
    expect(
      await page.getByRole('button', { name: 'Echo' }).evaluate((e) => e === document.activeElement),
    ).toBe(true);
  });

  it('minimised, says so and restores', async () => {
    const page = await open();
    await send(page, 'minimize');
    await page.getByRole('dialog', { name: 'This window is minimised.' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Echo' }).isVisible()).toBe(true);
  });

  it('whose window was destroyed, opens again with a fresh document and window', async () => {
    const page = await open();
    const first = await windowOf(page);
    await send(page, 'destroy');
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await windowOf(page)).not.toBe(first);
  });

  it('contract §3 web host: notified without permission, shows a note whose click reaches main, also when closed', async () => {
    const page = await open();
    await send(page, 'notify');
    const notes = page.getByRole('region', { name: 'Notifications' });
    await notes.getByRole('button', { name: 'Ada Hello' }).click();
    await page.getByText('clicked').waitFor();
    expect(await notes.getByRole('button').count()).toBe(0);
    await send(page, 'close');
    await send(page, 'notify');
    await notes.getByRole('button', { name: 'Ada Hello' }).click();
    await page.getByText('clicked').nth(1).waitFor();
  });

  it('contract §3 web host: with a tray, has its title and icon', async () => {
    const page = await open();
    await page.waitForFunction(() => document.title === 'Fixture: connected');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/png/);
  });
});

describe('a host of its own', () => {
  const host = setUpFixtureHost();

  it('opened with its token, is the page, speaks with main both ways, and forgets the token', async () => {
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

  it('contract §3 web host: notified with permission, uses the browser’s own notification', async () => {
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

  it('whose host ends, says so; started again and entered, both pages are there again', async () => {
    const address = await host().start();
    const page = await host().visit(address);
    await host().end();
    await page
      .getByRole('dialog', { name: 'Parley has stopped. Start it again with `npm start`.' })
      .waitFor();
    const again = await host().start({ port: new URL(address).port });
    const entered = await host().visit(again);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const names = new Set([await windowOf(entered), await windowOf(page)]);
    expect(names).toEqual(new Set(['window 1', 'window 2']));
  });
});
