import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../harness/axeViolations.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { overflowingElements, resize } from '../harness/resize.ts';
import { type OpenInspector, captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();
const faults = (page: Page) => axeViolations(page, ['moderate', 'serious', 'critical']);

/** Every view of the page, and the steps that open it. */
const VIEWS: Readonly<Record<string, (inspector: OpenInspector) => Promise<unknown>>> = {
  'before the first step': ({ at }) => at(0),
  'at a step': ({ go }) => go(10),
  'at the close, with the state': async ({ page, go }) => {
    await go(11);
    await page.getByRole('tab', { name: 'State', exact: true }).click();
    await page.locator('.state-line').first().waitFor();
  },
  'with a range, a filter and the kinds open': async ({ page, go }) => {
    await go(5);
    await page.keyboard.press('[');
    await page.getByRole('button', { name: 'Clear the range' }).waitFor();
    await page.getByLabel('Filter by text').fill('cut');
    await page.getByText('Every kind', { exact: true }).click();
  },
  'with an edit': async ({ page, go }) => {
    await go(9);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('tab', { name: 'What if (1)' }).click();
    await page.locator('.outcome').waitFor();
  },
  'while a frame is written': async ({ page, go }) => {
    await go(9);
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('button', { name: 'Apply' }).waitFor();
  },
  'with its keys': async ({ page }) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  },
  'while a test is made': async ({ page }) => {
    await page.getByRole('button', { name: 'Make a test of this' }).click();
    await page.getByRole('dialog').waitFor();
  },
};

const capture = captureNamed('recorded-reconnect');

describe.each(Object.keys(VIEWS))('%s', (view) => {
  let inspector: OpenInspector;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    inspector = await open({ capture }, (end) => ends.unshift(end));
    await VIEWS[view]?.(inspector);
    return () => Promise.all(ends.map((end) => end()));
  });

  it('has no axe violation in the light and the dark scheme', async () => {
    expect(await faults(inspector.page)).toEqual([]);
    expect(inspector.problems).toEqual([]);
  });

  it.each([1000, 800, 420])('fits a width of %i pixels', async (width) => {
    const { page } = inspector;
    await resize(page, width, 700);
    const beyond = () => overflowingElements(page, 'header *, main *, footer *, dialog', 1);
    await expect.poll(beyond, POLLING).toEqual([]);
  });
});

it('has no axe violation without a capture in the light and the dark scheme', async () => {
  const { page } = await open();
  await page.getByText('Drop a capture here').waitFor();
  expect(await faults(page)).toEqual([]);
});

describe('the separators between panes', () => {
  it('resize the panes by keyboard and by dragging', async () => {
    const { page } = await open({ capture });
    const line = page.getByRole('separator', { name: 'Width of the step list' });
    const width = async () =>
      (await page.getByRole('region', { name: 'Step list' }).boundingBox())?.width ?? 0;
    const before = await width();
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width, POLLING).toBe(before + 24);
    const box = await line.boundingBox();
    if (box === null) throw new Error('The separator is not visible.');
    await page.mouse.move(box.x, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x - 60, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width, POLLING).toBe(before - 36);
    expect(await line.getAttribute('aria-valuenow')).toBe(String(Math.round(before - 36)));
  });
});

describe('the note of the field under Go to', () => {
  /** Each note with the search that shows it. The last note is the longest. */
  const NOTES: readonly (readonly [kind: string, text: string, note: string])[] = [
    ['frame', '', 'Enter what to look for.'],
    ['update', 'x', 'An update is a number, such as 12.'],
    ['time', 'x', 'Enter a time as the list shows it, such as 1.230 or 2:03.400.'],
    ['expression', 'x', '“x” is not known; there are '],
    [
      'expression',
      `connection == "${'x'.repeat(300)}"`,
      'The connection is "connected" or "disconnected", not "x',
    ],
  ];

  it.each([1440, 1024, 420])('is wholly visible at a width of %i pixels', async (width) => {
    const { page } = await open({ capture });
    await resize(page, width, 700);
    const note = page.locator('.field-error');
    for (const [kind, text, expected] of NOTES) {
      await page.getByLabel('What to look for').selectOption(kind);
      await page.getByLabel('Look for', { exact: true }).fill(text);
      await page.getByLabel('Look for', { exact: true }).press('Enter');
      await note.getByText(expected).waitFor();
      expect(await clippedBy(note)).toEqual([]);
    }
  });
});

/** Returns the ancestors that clip an element, or the window, when a part of its box or of its text lies outside. */
const clippedBy = (element: Locator): Promise<string[]> =>
  element.evaluate((clipped) => {
    // The page has no outer scope.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const isInside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left &&
      inner.right <= outer.right &&
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom;
    const text = document.createRange();
    text.selectNodeContents(clipped);
    const boxes = [clipped.getBoundingClientRect(), ...text.getClientRects()];
    const found = boxes.every((box) => isInside(box, new DOMRect(0, 0, innerWidth, innerHeight)))
      ? []
      : ['window'];
    for (let one = clipped.parentElement; one !== null; one = one.parentElement) {
      const outer = one.getBoundingClientRect();
      if (getComputedStyle(one).overflow !== 'visible' && !boxes.every((box) => isInside(box, outer)))
        found.push(one.outerHTML.slice(0, 100));
    }
    return found;
  });
