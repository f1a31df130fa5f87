import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { appended, message, snapshot, text } from './harness/message.ts';
import { png } from './harness/png.ts';
import { readWindowState } from './harness/readWindowState.ts';
import { resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const image = (name: string, blob = eveningPicture()) => ({ category: 'image', text: name, blob });
/** Is not an image. The window shows it as a file. */
const BROKEN = image('broken.png', eveningPicture().slice(0, 24));

const viewer = (page: Page) => page.getByRole('dialog');
const opener = (page: Page, name: string) => page.getByRole('log').getByRole('button', { name });
const shownImage = (page: Page) => viewer(page).locator('img');

/** Shows three images in two messages, a text, and something that is no image, and opens an image. */
async function opened(name: string) {
  const window = await sharedWindow();
  await window.signedIn(
    snapshot(
      message('a', [image('first.png'), text('words'), image('second.png')]),
      message('b', [text('more words')]),
      message('c', [BROKEN, image('last.png')], { modifier: 'client', context: 'Ada' }),
    ),
  );
  await opener(window.page, name).click();
  await viewer(window.page).getByRole('img', { name }).waitFor();
  await shownWhole(window.page);
  return window;
}

/** Waits until the image is decoded. */
async function shownWhole(page: Page): Promise<void> {
  await expect.poll(() => shownImage(page).evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(320);
}

/** Returns where the image is: its rectangle. */
const place = (page: Page) =>
  shownImage(page).evaluate((one) => {
    const { x, y, width } = one.getBoundingClientRect();
    return { x: Math.round(x), y: Math.round(y), width: Math.round(width) };
  });

it.each([320, 420, 1440])('shows the name and the buttons in a window of %i px', async (width) => {
  const { page } = await opened('second.png');
  await resize(page, width, 600);
  const name = viewer(page).getByRole('heading', { name: 'second.png' });
  expect(await name.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const close = await viewer(page).getByRole('button', { name: 'Close' }).boundingBox();
  expect((close?.x ?? 0) + (close?.width ?? 0)).toBeLessThan(width);
  await resize(page, 1280, 720);
});

it('opens with Enter; Escape closes it and the focus returns to the image', async () => {
  const { page, problems } = await opened('first.png');
  await viewer(page).getByRole('button', { name: 'Close' }).click();
  await viewer(page).waitFor({ state: 'detached' });
  await opener(page, 'second.png').focus();
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('img', { name: 'second.png' }).waitFor();
  expect((await readWindowState(page)).viewer).toEqual({ message: 0, item: 2 });
  // Keys are not for the window behind it.
  await page.keyboard.press('x');
  await page.keyboard.press('Control+f');
  await page.keyboard.press('Escape');
  // The dialog's event comes after it is hidden.
  await expect.poll(async () => (await readWindowState(page)).viewer).toBeNull();
  const own = await readWindowState(page);
  expect([own.viewer, own.textBox, own.find]).toEqual([null, null, null]);
  await viewer(page).waitFor({ state: 'detached' });
  const second = opener(page, 'second.png');
  await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

it('has the focus itself at first and when a button with the focus is disabled, so that its keys work', async () => {
  const { page } = await opened('first.png');
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('title') ?? document.activeElement?.className);
  await expect.poll(focused).toBe('viewer');
  // As when the key that opened it is held down.
  await page.keyboard.press('Enter');
  expect(await viewer(page).getAttribute('aria-label')).toBe('first.png');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Next image');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Tab');
  expect(await focused()).toBe('Previous image');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('viewer');
  await page.keyboard.press('ArrowRight');
  expect(await viewer(page).getAttribute('aria-label')).toBe('second.png');
  await viewer(page).getByRole('link', { name: 'Save image' }).focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  expect(await viewer(page).getAttribute('aria-label')).toBe('last.png');
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
});

it('leaves the arrows on an image to the messages: the focus moves to the message above or below', async () => {
  const { page } = await opened('second.png');
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-message-id'));
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('b');
  await opener(page, 'last.png').focus();
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('b');
});

it('leaves a key to the window as soon as it is closed', async () => {
  const { page } = await opened('first.png');
  const closeAndPress = (press: { readonly key: string; readonly ctrlKey?: boolean }) =>
    viewer(page).evaluate((dialog: HTMLDialogElement, init) => {
      dialog.close();
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    }, press);
  await closeAndPress({ key: 'f', ctrlKey: true });
  await viewer(page).waitFor({ state: 'detached' });
  await page.getByRole('search').waitFor();
  await page.keyboard.press('Escape');
  await opener(page, 'first.png').click();
  await viewer(page).getByRole('img').waitFor();
  await closeAndPress({ key: 'x' });
  await viewer(page).waitFor({ state: 'detached' });
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('x');
  await page.keyboard.press('Escape');
});

it('goes to the next and previous image with keys and buttons, in the order of the conversation', async () => {
  const { page } = await opened('first.png');
  const names: (string | null)[] = [];
  const after = async (act: () => Promise<void>) => {
    await act();
    names.push(await viewer(page).getAttribute('aria-label'));
  };
  for (const key of ['ArrowRight', 'PageDown', 'PageDown', 'PageDown', 'ArrowLeft', 'PageUp'])
    // One after the other.
    // oxlint-disable-next-line no-await-in-loop
    await after(() => page.keyboard.press(key));
  expect(names).toEqual(['second.png', 'broken.png', 'last.png', 'last.png', 'broken.png', 'second.png']);
  await after(() => viewer(page).getByRole('button', { name: 'Previous image' }).click());
  await after(() => viewer(page).getByRole('button', { name: 'Next image' }).click());
  await page.keyboard.press('PageDown');
  await viewer(page).getByText('This image cannot be shown.').waitFor();
  expect(names.slice(6)).toEqual(['first.png', 'second.png']);
  await page.keyboard.press('PageDown');
  await shownWhole(page);
  await page.mouse.move(500, 400);
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => (await place(page)).width).toBeGreaterThan(800);
});

it('magnifies with keys, buttons, wheel and double click, and moves with arrows and a drag while it is larger', async () => {
  const { page } = await opened('first.png');
  await resize(page, 1024, 800);
  const whole = await place(page);
  expect(whole.width).toBe(320);
  await page.keyboard.press('+');
  expect((await place(page)).width).toBe(480);
  await page.keyboard.press('-');
  expect(await place(page)).toEqual(whole);
  for (let count = 0; count < 4; count++) await viewer(page).getByRole('button', { name: 'Zoom in' }).click();
  const magnified = await place(page);
  expect(magnified.width).toBe(1620);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  expect(await place(page)).toEqual({ x: magnified.x - 80, y: magnified.y - 80, width: 1620 });
  await page.mouse.move(500, 400);
  await page.mouse.down();
  await page.mouse.move(560, 430, { steps: 3 });
  await page.mouse.up();
  expect(await place(page)).toEqual({ x: magnified.x - 20, y: magnified.y - 50, width: 1620 });
  // It cannot be moved out of the view, also not by another size of the window.
  for (let count = 0; count < 20; count++) await page.keyboard.press('ArrowUp');
  for (let count = 0; count < 20; count++) await page.keyboard.press('ArrowRight');
  expect((await place(page)).x).toBe(1024 - 1620);
  await resize(page, 1200, 800);
  await expect.poll(async () => (await place(page)).x).toBe(1200 - 1620);
  await resize(page, 1024, 800);
  await page.keyboard.press('0');
  expect(await place(page)).toEqual(whole);
  await page.mouse.dblclick(512, 400);
  expect((await place(page)).width).toBe(640);
  await viewer(page).getByRole('button', { name: 'Fit' }).click();
  expect(await place(page)).toEqual(whole);
  const point = { x: whole.x + 120, y: whole.y + 50 };
  await page.mouse.move(point.x, point.y);
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await place(page)).width).toBeGreaterThan(1200);
  const { x, width } = await place(page);
  // The point under the pointer stays there.
  expect(Math.abs((point.x - x) / width - 0.375)).toBeLessThan(0.01);
  await page.keyboard.press('PageDown');
  await shownWhole(page);
  expect((await place(page)).width).toBe(320);
});

it('magnifies around the middle of two fingers, moves with them, and forgets them when they are lifted', async () => {
  const { page } = await opened('first.png');
  await resize(page, 300, 700);
  const whole = await place(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: touchPoints.map(({ x, y }, id) => ({ x, y, id })),
    });
  const [left, top] = [whole.x + 225, whole.y + 50];
  await touch('touchStart', { x: left - 10, y: top });
  await touch('touchStart', { x: left - 10, y: top }, { x: left + 10, y: top });
  for (const by of [20, 30, 40]) await touch('touchMove', { x: left - by, y: top }, { x: left + by, y: top });
  await expect.poll(async () => (await place(page)).width).toBe(1200);
  const { x } = await place(page);
  expect(Math.abs((left - x) / 1200 - 0.75)).toBeLessThan(0.01);
  await touch('touchMove', { x: left - 10, y: top }, { x: left + 70, y: top });
  await expect.poll(() => place(page)).toMatchObject({ x: x + 30, width: 1200 });
  await touch('touchEnd');
  await touch('touchStart', { x: left - 10, y: top });
  await touch('touchMove', { x: left - 40, y: top });
  await expect.poll(() => place(page)).toMatchObject({ x, width: 1200 });
  await touch('touchEnd');
  await session.detach();
  await resize(page, 1280, 720);
});

it('magnifies quickly with two fingers on a touchpad, around the pointer', async () => {
  const { page } = await opened('first.png');
  await resize(page, 300, 700);
  const whole = await place(page);
  const point = { x: whole.x + 225, y: whole.y + 50 };
  await page.mouse.move(point.x, point.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await place(page)).width).toBe(Math.round(300 * Math.exp(1.2)));
  const { x, width } = await place(page);
  expect(Math.abs((point.x - x) / width - 0.75)).toBeLessThan(0.01);
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  await resize(page, 1280, 720);
});

it('shows an image that is larger than the window whole', async () => {
  const { page, apply } = await opened('first.png');
  await apply(appended(message('large', [image('large.png', png(3000, 2000))])));
  for (let count = 0; count < 4; count++) await page.keyboard.press('PageDown');
  await viewer(page).getByRole('img', { name: 'large.png' }).waitFor();
  await expect.poll(() => shownImage(page).evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(3000);
  for (const [width, height] of [
    [420, 800],
    [1024, 300],
  ] as const) {
    await resize(page, width, height);
    const [one, view] = await viewer(page).evaluate((dialog) =>
      ['img', '.viewer-view'].map((name) => dialog.querySelector(name)?.getBoundingClientRect()),
    );
    const parts = [(one?.width ?? 0) / (view?.width ?? 1), (one?.height ?? 0) / (view?.height ?? 1)];
    expect(Math.max(...parts)).toBeCloseTo(1, 2);
    expect((one?.width ?? 0) / (one?.height ?? 1)).toBeCloseTo(1.5, 1);
  }
  await resize(page, 1280, 720);
});

it('saves the image, and closes when a snapshot without it arrives', async () => {
  const { page, apply } = await opened('last.png');
  const download = page.waitForEvent('download');
  await viewer(page).getByRole('link', { name: 'Save image' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('last.png');
  expect((await readFile(await file.path())).toString('base64')).toBe(eveningPicture());
  await apply(appended(message('d', [image('newer.png')])));
  await viewer(page).getByRole('button', { name: 'Next image' }).click();
  await viewer(page).getByRole('img', { name: 'newer.png' }).waitFor();
  await apply(snapshot(message('e', [text('nothing else')])));
  await viewer(page).waitFor({ state: 'detached' });
  await expect.poll(async () => (await readWindowState(page)).viewer).toBeNull();
});

it.each([1440, 420])('has no violation of axe and fits into a window of %i pixels', async (width) => {
  const { page } = await opened('first.png');
  await resize(page, width, 860);
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  expect(await viewer(page).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
});
