import {
  dialogRequested,
  inspectorRequested,
  sessionSaveRequested,
  windowZoomRequested,
} from '#shared/actions/userActions.ts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from './harness/axeViolations.ts';
import { resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { message, snapshot, text } from './harness/message.ts';

const { open } = setUpSharedWindow();

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const SYSTEMS = {
  mac: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME}`,
  windows: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`,
  linux: `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Electron/45.4.1`,
} as const;

/** Opens a signed-in window on a system. */
async function windowOn(os: keyof typeof SYSTEMS) {
  const window = await open({ userAgent: SYSTEMS[os] });
  await window.signedIn(snapshot(message('1', [text('hello')])));
  return { ...window, bar: window.page.locator('.title-bar') };
}

/** Returns the name, the tooltip and the box of each button of the title bar, from left to right. */
const buttonsOf = (page: Page) =>
  page.locator('.title-bar button').evaluateAll((all: HTMLButtonElement[]) =>
    all
      .map((one) => {
        const { left, right, width, height } = one.getBoundingClientRect();
        const { backgroundColor: colour, borderTopLeftRadius: radius } = getComputedStyle(one);
        const name = one.ariaLabel ?? one.textContent;
        return { name, title: one.title, left, right, width, height, colour, radius };
      })
      .toSorted((a, b) => a.left - b.left),
  );

it('has a name and a tooltip for each of its icons, and the tools for developers are in the menu only', async () => {
  const { page, calls } = await windowOn('linux');
  const names = ['Log out', 'Menu', 'Minimize', 'Close'];
  const buttons = await buttonsOf(page);
  expect(buttons.map(({ name }) => name)).toEqual(names);
  expect(buttons.map(({ title }) => title)).toEqual(names);
  await resize(page, 420, 720);
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
  const requests = {
    'Save this session': sessionSaveRequested(),
    'Inspect this session': inspectorRequested(),
    'Export the conversation…': dialogRequested({ dialog: 'export' }),
    'Print…': dialogRequested({ dialog: 'print' }),
    'Zoom in': windowZoomRequested({ zoom: 'in' }),
    'Zoom out': windowZoomRequested({ zoom: 'out' }),
    'Actual size': windowZoomRequested({ zoom: 'reset' }),
  };
  for (const entry of Object.keys(requests)) {
    await menu.click();
    await page.getByRole('menuitem', { name: entry }).click();
  }
  await expect.poll(() => calls).toEqual(Object.values(requests).map((action) => ['action', action]));
  await menu.click();
  await page.getByRole('menuitem', { name: 'Find…' }).click();
  await page.getByRole('search').getByRole('textbox').waitFor();
});

it('has the round buttons of Linux on the right', async () => {
  const { page } = await windowOn('linux');
  const [, , minimize, close] = await buttonsOf(page);
  for (const button of [minimize, close])
    expect(button).toMatchObject({ width: 24, height: 24, radius: '50%' });
  expect(minimize?.colour).not.toBe('rgba(0, 0, 0, 0)');
  expect(close?.right).toBeGreaterThan(1250);
});

it('has the buttons of Windows at the right border, as high as the title bar, and Close is red under the pointer', async () => {
  const { page, bar } = await windowOn('windows');
  const buttons = await buttonsOf(page);
  expect(buttons.map(({ name }) => name)).toEqual(['Log out', 'Menu', 'Minimize', 'Close']);
  const height = await bar.evaluate((one) => one.clientHeight);
  expect(buttons.slice(2)).toMatchObject([
    { right: 1280 - 46, width: 46, height },
    { right: 1280, width: 46, height },
  ]);
  const close = page.getByRole('button', { name: 'Close', exact: true });
  const background = () => close.evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await background()).toBe('rgba(0, 0, 0, 0)');
  await close.hover();
  await expect.poll(background).toBe('rgb(196, 43, 28)');
});

it('has the lights of macOS on the left, whose signs the pointer shows', async () => {
  const { page, bar } = await windowOn('mac');
  const buttons = await buttonsOf(page);
  expect(buttons.map(({ name }) => name)).toEqual(['Close', 'Minimize', 'Log out', 'Menu']);
  expect(buttons.slice(0, 2)).toMatchObject([
    { width: 12, height: 12, radius: '50%', colour: 'rgb(255, 95, 87)' },
    { width: 12, height: 12, radius: '50%', colour: 'rgb(254, 188, 46)' },
  ]);
  expect(buttons[1]?.right).toBeLessThan(80);
  const sign = bar.locator('.window-buttons .icon').first();
  await sign.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Minimize' }).hover();
  await sign.waitFor();
});
