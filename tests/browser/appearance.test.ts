import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeFaults } from './harness/axe.ts';
import { AVATAR, EVENING } from '#platform/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE } from '#platform/samples.ts';
import { type RendererWindow, setUpRenderer } from './harness/renderer.ts';
import { message, snapshot, text } from './harness/updates.ts';

const open = setUpRenderer();
const faults = (page: Page) => axeFaults(page, ['serious', 'critical']);

const EVERYTHING = snapshot(
  message('1', [text('Hello.'), HTML_SAMPLE, FILE_SAMPLE], { avatar: AVATAR }),
  message(
    '2',
    [{ category: 'image', text: 'evening.png', blob: EVENING }, text('x'.repeat(300)), FILE_SAMPLE],
    {
      modifier: 'client',
      context: 'Ada',
    },
  ),
  message('3', [text('Maintenance tonight.'), { category: 'audio', text: 'spoken' }], { modifier: 'admin' }),
  message('4', [text('long '.repeat(5000)), { category: 'file', text: 'bad.bin', blob: '*' }]),
);

/** Every view, and how a window gets there. */
const VIEWS: Readonly<Record<string, (window: RendererWindow) => Promise<unknown>>> = {
  'the splash': ({ page }) => page.locator('main[data-view="splash"]').waitFor(),
  'the form with an error': async ({ page, account }) => {
    await account(false);
    await page.getByLabel('Email').fill('ada');
    await page.keyboard.press('Enter');
    await page.getByText('Not a valid email.').waitFor();
  },
  'the conversation before anything came': async ({ page, account }) => {
    await account('account-1');
    await page.getByText('Opening your conversation').waitFor();
  },
  'the conversation without messages': ({ signedIn }) => signedIn(snapshot()),
  'the conversation with every kind of content': async ({ page, signedIn }) => {
    await signedIn(EVERYTHING);
    await page.getByRole('article').nth(3).waitFor();
  },
  'the text box near its limit, and the connection closed': async ({ page, signedIn, disconnected }) => {
    await signedIn(EVERYTHING);
    await disconnected('maintenance');
    await page.getByRole('button', { name: 'Write a message' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(240));
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
  },
  'the menu': async ({ page, signedIn }) => {
    await signedIn(EVERYTHING);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem').first().waitFor();
  },
  'the settings': async ({ page, account }) => {
    await account(false);
    await page.evaluate(() =>
      window.fakeMain.emit('settings', {
        captures: `/home/ada/${'long-'.repeat(40)}captures`,
        stored: { recorded: { files: 12, bytes: 3_400_000 }, saved: { files: 2, bytes: 812 } },
      }),
    );
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  },
  'the deletion of data': async ({ page, account }) => {
    await account(false);
    await page.evaluate(() =>
      window.fakeMain.emit('deleteData', {
        folder: `/home/ada/${'long-'.repeat(40)}Parley`,
        isPlatformBuiltIn: true,
      }),
    );
    await page.getByRole('dialog', { name: 'Delete my data' }).waitFor();
  },
  'the program': async ({ page, account }) => {
    await account(false);
    await page.evaluate(() =>
      window.fakeMain.emit('about', {
        parley: '0.1.0',
        host: 'Electron 45.4.1',
        chromium: null,
        node: '22.1.0',
        licence: 'MIT',
      }),
    );
    await page.getByRole('dialog', { name: 'About Parley' }).waitFor();
  },
  'an alert': async ({ page, account }) => {
    await account(false, 'unauthorized');
    await page.getByRole('alertdialog').waitFor();
  },
};

describe('in the light and in the dark', () => {
  it.each(Object.keys(VIEWS))('%s, nothing serious for axe', async (name) => {
    const window = await open();
    await VIEWS[name]?.(window);
    expect(await faults(window.page)).toEqual([]);
    expect(window.troubles).toEqual([]);
  });
});

describe.each([360, 1440])('%i pixels wide', (width) => {
  it.each(Object.keys(VIEWS))('%s, nothing beyond the edge and one main', async (name) => {
    const window = await open({ viewport: { width, height: 720 } });
    const { page } = window;
    await VIEWS[name]?.(window);
    expect(await page.locator('main').count()).toBe(1);
    const beyond = await page.evaluate(() =>
      Array.from(document.querySelectorAll('main *, dialog'))
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.outerHTML.slice(0, 100)),
    );
    expect(beyond).toEqual([]);
  });
});

describe('for those who need it', () => {
  it('less motion is asked for, nothing moves', async () => {
    const { page, account } = await open();
    const moving = () => page.evaluate(() => document.getAnimations().length);
    expect(await moving()).toBe(0);
    await account('account-1');
    await page.getByRole('button', { name: 'Write a message' }).click();
    expect(await moving()).toBe(0);
  });

  it('by keyboard alone: signed out, in the form, every control is reached in its order', async () => {
    const { page, account } = await open();
    await account(false);
    await page.getByLabel('Email').waitFor();
    const reached: (string | null)[] = [];
    for (let i = 0; i < 5; i++) {
      reached.push(
        await page.evaluate(() => {
          const { activeElement: one } = document;
          return one instanceof HTMLInputElement
            ? (one.labels?.[0]?.textContent ?? null)
            : (one?.getAttribute('aria-label') ?? one?.textContent ?? null);
        }),
      );
      await page.keyboard.press('Tab');
    }
    expect(reached).toEqual(['Email', 'Password', 'Show characters', 'Name', 'Continue']);
  });

  it('forced colours, a bubble still has its edge', async () => {
    const { page, signedIn } = await open({ forcedColors: 'active' });
    await signedIn(EVERYTHING);
    const own = page.locator('[data-side="right"] [data-category]').first();
    await own.waitFor();
    const edge = await own.evaluate((one) => getComputedStyle(one).borderTopColor);
    expect(edge).not.toBe('rgba(0, 0, 0, 0)');
  });
});
