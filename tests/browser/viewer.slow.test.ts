import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/demonstration/pictures.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { appended, message, snapshot, text } from './harness/message.ts';
import { readOwnState } from './harness/readOwnState.ts';
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

it('opens with Enter; Escape closes it and the focus returns to the image', async () => {
  const { page, problems } = await opened('first.png');
  await viewer(page).getByRole('button', { name: 'Close' }).click();
  await viewer(page).waitFor({ state: 'detached' });
  await opener(page, 'second.png').focus();
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('img', { name: 'second.png' }).waitFor();
  expect((await readOwnState(page)).viewer).toEqual({ message: 0, item: 2 });
  // Keys are not for the window behind it.
  await page.keyboard.press('x');
  await page.keyboard.press('Control+f');
  await page.keyboard.press('Escape');
  await viewer(page).waitFor({ state: 'detached' });
  const own = await readOwnState(page);
  expect([own.viewer, own.textBox, own.find]).toEqual([null, null, null]);
  expect(await opener(page, 'second.png').evaluate((one) => one === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
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
  await page.setViewportSize({ width: 1024, height: 800 });
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
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(async () => (await place(page)).x).toBe(1200 - 1620);
  await page.setViewportSize({ width: 1024, height: 800 });
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
  await expect.poll(async () => (await readOwnState(page)).viewer).toBeNull();
});

it.each([1440, 420])('has no violation of axe and fits into a window of %i pixels', async (width) => {
  const { page } = await opened('first.png');
  await page.setViewportSize({ width, height: 860 });
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  expect(await viewer(page).evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
});
