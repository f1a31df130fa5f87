import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './harness/axeViolations.ts';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE } from '#platform/assistant/samples.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import type { RendererWindow } from './harness/renderer.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { skipFormPause } from './harness/skipFormPause.ts';
import { message, snapshot, text } from './harness/message.ts';

const { open, keptWindow } = setUpSharedWindow();
const faults = (page: Page) => axeViolations(page, ['serious', 'critical']);

const EVERYTHING = snapshot(
  message('1', [text('Hello.'), HTML_SAMPLE, FILE_SAMPLE], { avatar: avatar() }),
  message(
    '2',
    [{ category: 'image', text: 'evening.png', blob: eveningPicture() }, text('x'.repeat(300)), FILE_SAMPLE],
    {
      modifier: 'client',
      context: 'Ada',
    },
  ),
  message('3', [text('Maintenance tonight.'), { category: 'audio', text: 'spoken' }], { modifier: 'admin' }),
  message('4', [text('long '.repeat(5000)), { category: 'file', text: 'bad.bin', blob: '*' }]),
);

/** Every view, and the steps that open it: in a new window, or after the views before it, which are signed out first. */
const VIEWS: Readonly<Record<string, (window: RendererWindow) => Promise<unknown>>> = {
  'the splash': ({ page }) => page.locator('main[data-view="splash"]').waitFor(),
  'the form with an error': async ({ page, account }) => {
    await account(false);
    await page.getByLabel('Email').fill('ada');
    await skipFormPause(page);
    await page.keyboard.press('Enter');
    await page.getByText('Not a valid email.').waitFor();
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
  'the assistant': async ({ page, account }) => {
    await account(false);
    const contents = { url: 'http://127.0.0.1:11434/v1', model: '', prompt: '', hasKey: true, variables: [] };
    await page.evaluate((shown) => window.fakeMain.emit('assistant', shown), contents);
    const dialog = page.getByRole('dialog', { name: 'Assistant' });
    await dialog.getByRole('button', { name: 'Test' }).click();
    await page.evaluate(
      (words) => window.fakeMain.emit('assistantResult', { kind: 'failed', field: 'key', message: words }),
      `The server refuses the key ${'x'.repeat(200)}.`,
    );
    await dialog.getByRole('status').getByText('refuses the key').waitFor();
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
  'the conversation before anything came': async ({ page, account }) => {
    await account('account-1');
    await page.getByText('Opening your conversation').waitFor();
  },
  'the conversation without messages': ({ signedIn }) => signedIn(snapshot()),
  'the conversation with every kind of content': async ({ page, signedIn }) => {
    await signedIn(EVERYTHING);
    await page.getByRole('article').nth(3).waitFor();
  },
  'the menu': async ({ page, signedIn }) => {
    await signedIn(EVERYTHING);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem').first().waitFor();
  },
  'the text box near its limit, and the connection closed': async ({ page, signedIn, disconnected }) => {
    await signedIn(EVERYTHING);
    await disconnected('maintenance');
    await page.getByRole('button', { name: 'Write a message' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(240));
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
  },
};

describe('the page before its script has loaded', () => {
  it('shows the logo where the splash shows it', async () => {
    const { page } = await open();
    const mark = page.locator('.splash .mark');
    const splash = await mark.boundingBox();
    await page.route('**/*.js', (route) => route.abort());
    await page.reload();
    expect(await mark.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)).toBe(true);
    expect(await mark.boundingBox()).toEqual(splash);
    expect(await page.locator('main').count()).toBe(0);
    await page.unroute('**/*.js');
  });
});

describe.each(Object.keys(VIEWS))('%s', (name) => {
  let window: RendererWindow;
  beforeAll(async () => {
    window = await keptWindow();
    // Closes the alert, the dialog or the menu of the view before.
    await window.page.keyboard.press('Escape');
    await resize(window.page, 1280, 720);
    await VIEWS[name]?.(window);
  });

  it('has no serious axe violation in the light and the dark scheme', async () => {
    expect(await faults(window.page)).toEqual([]);
    expect(window.problems).toEqual([]);
  });

  it.each([360, 1440])('fits a width of %i pixels and has one main element', async (width) => {
    const { page } = window;
    await resize(page, width, 720);
    expect(await page.locator('main').count()).toBe(1);
    await expect.poll(() => overflowingElements(page, 'main *, dialog'), POLLING).toEqual([]);
  });
});

describe('the accessibility preferences', () => {
  it('runs no animation when the system asks for reduced motion', async () => {
    const { page, account } = await open();
    const moving = () => page.evaluate(() => document.getAnimations().length);
    expect(await moving()).toBe(0);
    await account('account-1');
    await page.getByRole('button', { name: 'Write a message' }).click();
    expect(await moving()).toBe(0);
  });

  it('reaches every control of the sign-in form in its order by keyboard', async () => {
    const { page, account } = await keptWindow();
    await account(false);
    const email = page.getByLabel('Email');
    await expect.poll(() => email.evaluate((one) => one === document.activeElement), POLLING).toBe(true);
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

  it('draws the border of a bubble in forced colours', async (test) => {
    const { page, signedIn } = await keptWindow();
    await page.emulateMedia({ forcedColors: 'active' });
    test.onTestFinished(() => page.emulateMedia({ forcedColors: null }));
    await signedIn(EVERYTHING);
    const own = page.locator('[data-side="right"] [data-category]').first();
    await own.waitFor();
    const edge = await own.evaluate((one) => getComputedStyle(one).borderTopColor);
    expect(edge).not.toBe('rgba(0, 0, 0, 0)');
  });
});

it('contract §3 settings: has its sections in order, the button Close always in view, and the tools of developers', async () => {
  const { page, account, signedIn, calls } = await open();
  await account(false);
  await signedIn(snapshot(message('1', [text('Hello.')])));
  const show = () =>
    page.evaluate((contents) => window.fakeMain.emit('settings', contents), {
      captures: '/home/ada/.parley/captures',
      stored: { recorded: { files: 3, bytes: 1234 }, saved: { files: 1, bytes: 99 } },
      assistant: { url: null, model: null },
    });
  await show();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.waitFor();
  expect(await settings.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Assistant',
    'Appearance',
    'Conversation',
    'Privacy and data',
    'Developer',
  ]);
  expect(await settings.getByRole('region').count()).toBe(5);
  await resize(page, 420, 480);
  const close = settings.getByRole('button', { name: 'Close', exact: true });
  for (const at of [0, 200, 10_000]) {
    await settings.evaluate((dialog, top) => dialog.scrollTo(0, top), at);
    const box = await close.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(480);
  }
  // What the Tab key reaches is not behind the button.
  await settings.evaluate((dialog) => dialog.scrollTo(0, 0));
  await settings.getByRole('button', { name: 'Delete my data…' }).focus();
  const [focused, footer] = [
    await settings.getByRole('button', { name: 'Delete my data…' }).boundingBox(),
    await settings.locator('.dialog-buttons').boundingBox(),
  ];
  expect((focused?.y ?? 999) + (focused?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0);
  await settings.getByRole('button', { name: 'Save this session' }).click();
  await settings.waitFor({ state: 'detached' });
  await expect
    .poll(() => calls)
    .toContainEqual(['action', expect.objectContaining({ type: 'session/saveRequested' })]);
});
