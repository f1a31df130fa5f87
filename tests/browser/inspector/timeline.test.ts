import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const slider = (page: Page) => page.getByRole('slider', { name: 'Step' });

/** Returns the position on the page of a fraction of the shown time. */
async function pointAt(page: Page, share: number): Promise<{ x: number; y: number }> {
  const box = await page.getByTestId('plot').boundingBox();
  if (box === null) throw new Error('The timeline is not visible.');
  return { x: box.x + box.width * share, y: box.y + 60 };
}

async function drag(page: Page, from: number, to: number): Promise<void> {
  const [a, b] = [await pointAt(page, from), await pointAt(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move(b.x, b.y, { steps: 5 });
  await page.mouse.up();
}

const listed = (page: Page) =>
  page
    .getByRole('grid', { name: 'Steps' })
    .locator('[data-step]')
    .evaluateAll((lines) => lines.map((line) => Number(line.dataset['step'])));

/** Returns the first and the last time at the top of the timeline. */
const marks = (page: Page) => slider(page).locator('.mark').allTextContents();

/** Returns the times once the timeline has its width. */
async function firstMarks(page: Page): Promise<string[]> {
  await expect.poll(async () => (await marks(page)).at(0), POLLING).toBe('0.000');
  return marks(page);
}

describe('the timeline', () => {
  it('draws frames, updates, the queue and the connection, and marks each error', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    for (const lane of ['received', 'sent', 'applied', 'queue'])
      await page.locator(`path.lane.${lane}[d^="M"]`).waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('.band').count(), POLLING).toBe(4);
    expect(await page.locator('.band.connected').count()).toBe(2);
    const queue = page.locator('.legend-queue small');
    await expect.poll(() => queue.textContent(), POLLING).toMatch(/^longest \d+$/);
    const fits = await queue.evaluate((number) => {
      number.textContent = 'longest 1,234,567';
      const [own, legend] = [number, number.closest('.legend')].map((one) => one?.getBoundingClientRect());
      return (
        own &&
        legend &&
        number.scrollWidth <= number.clientWidth &&
        own.bottom <= legend.bottom &&
        own.right <= legend.right
      );
    });
    expect(fits).toBe(true);
    await page.getByRole('button', { name: /Error at step 11: .*1006/ }).click();
    await at(11);
  });

  it.each(['header-only', 'long-blob'])('shows no time of %s twice and clips none', async (name) => {
    const { page } = await open({ capture: captureNamed(name) });
    await expect.poll(async () => (await marks(page)).at(0), POLLING).toBe('0.000');
    const words = (await marks(page)).filter((mark) => mark !== '');
    expect(new Set(words).size).toBe(words.length);
    const ends = await slider(page)
      .locator('.mark')
      .evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect().right));
    expect(Math.max(...ends)).toBeLessThanOrEqual(1440);
  });

  it('selects the step of the time that is clicked', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    const { x, y } = await pointAt(page, 0.5);
    await page.mouse.click(x, y);
    await at(11);
    expect(problems).toEqual([]);
  });
});

describe('a range', () => {
  it('is selected by dragging: the list shows its steps, the other panes what it changed; clearing shows everything', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.locator('path.lane.queue').waitFor({ state: 'attached' });
    await drag(page, 0.2, 0.32);
    await at(10);
    await expect.poll(() => listed(page), POLLING).toEqual([5, 6, 7, 8, 9, 10]);
    await page.getByText('Step 4 → 10').waitFor();
    const changed = page.getByRole('log').locator('[data-changed]');
    await expect.poll(() => changed.count(), POLLING).toBe(2);
    await page.getByRole('button', { name: 'Clear the range' }).click();
    await expect.poll(async () => (await listed(page)).length, POLLING).toBe(22);
    await page.getByText('Step 9 → 10').waitFor();
  });

  it('is selected by a drag that ends before the page is drawn again', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    const [from, to] = [await pointAt(page, 0.2), await pointAt(page, 0.32)];
    await page.getByTestId('plot').evaluate(
      (plot, moves) => {
        for (const [kind, clientX] of moves)
          plot.dispatchEvent(new PointerEvent(kind, { clientX, pointerId: 1, bubbles: true }));
      },
      [
        ['pointerdown', from.x],
        ['pointermove', to.x],
        ['pointerup', to.x],
      ] as const,
    );
    await expect.poll(() => listed(page), POLLING).toEqual([5, 6, 7, 8, 9, 10]);
  });

  it('is selected from one step to another and cleared by keyboard', async () => {
    const { page, go, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await go(5);
    await page.keyboard.press('[');
    await at(22);
    await go(10);
    await page.keyboard.press(']');
    await expect.poll(() => listed(page), POLLING).toEqual([5, 6, 7, 8, 9, 10]);
    await page.keyboard.press('Home');
    await at(5);
    await page.keyboard.press('End');
    await at(10);
    await slider(page).focus();
    await page.keyboard.press('Home');
    await at(5);
    expect(await page.getByRole('button', { name: 'First step of the range' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Last step of the range' }).click();
    await at(10);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await listed(page)).length, POLLING).toBe(22);
  });
});

describe('the zoom', () => {
  it('shows the second around a step on a double click, then the complete session again', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    const whole = await firstMarks(page);
    await page.locator('[data-step="11"]').dblclick();
    await expect.poll(() => marks(page), POLLING).toContain('3.400');
    await page.getByRole('button', { name: 'Whole session' }).click();
    await expect.poll(() => marks(page), POLLING).toEqual(whole);
  });

  it('shows the second around a time on a double click on the timeline', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    const { x, y } = await pointAt(page, 0.5);
    await page.mouse.dblclick(x, y);
    await expect.poll(() => marks(page), POLLING).toContain('3.400');
  });

  it('zooms in, out and to the complete session by keyboard', async () => {
    const { page } = await open({ capture: captureNamed('recorded-reconnect') });
    const whole = await firstMarks(page);
    for (const key of ['+', '-', '+', '0', 'z']) {
      const before = (await marks(page)).join();
      await page.keyboard.press(key);
      await expect.poll(async () => (await marks(page)).join(), POLLING).not.toBe(before);
    }
    await page.keyboard.press('0');
    await expect.poll(() => marks(page), POLLING).toEqual(whole);
  });
});

describe('the scrubber', () => {
  it('selects and announces the step under the pointer while it is dragged', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    expect(await slider(page).getAttribute('aria-valuetext')).toBe('Before the first step');
    const box = await slider(page).boundingBox();
    if (box === null) throw new Error('The scrubber is not visible.');
    await page.mouse.move(box.x + 1, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 10, { steps: 10 });
    await at(10);
    await expect
      .poll(() => slider(page).getAttribute('aria-valuetext'), POLLING)
      .toBe('Step 10 of 22, 2.000');
    await page.mouse.move(box.x + box.width + 50, box.y + 10, { steps: 10 });
    await at(22);
    await page.mouse.up();
    await page.mouse.move(box.x, box.y + 10);
    expect(await slider(page).getAttribute('aria-valuenow')).toBe('22');
  });

  it('moves by one step, by ten steps and to both ends by keyboard', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await slider(page).focus();
    const ways = [
      ['ArrowRight', 1],
      ['PageUp', 11],
      ['ArrowLeft', 10],
      ['End', 22],
      ['PageDown', 12],
      ['Home', 0],
    ] as const;
    for (const [key, step] of ways) {
      await page.keyboard.press(key);
      await at(step);
    }
    expect(problems).toEqual([]);
  });
});
