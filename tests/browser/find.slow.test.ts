import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { findInBar, hits, markedTexts, positionOf, settled } from './harness/find.ts';
import { appended, message, messages, snapshot, text, uneven } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

/** A picture of one pixel (PNG). */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Shows messages in a window, with all of them loaded. */
async function showing(list: readonly Message[]) {
  const window = await sharedWindow();
  await window.signedIn(snapshot(...list));
  await window.page.locator(`[data-row="${list.length - 1}"]`).waitFor();
  return window;
}

/**
 * Observes the timers of the page whose work takes over 50 ms; returns a function that returns their number. The search runs in timers; rows are drawn
 * in other tasks.
 */
async function observeLongTimers(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const { setTimeout } = window;
    Reflect.set(window, 'longTimers', 0);
    Reflect.set(window, 'setTimeout', (task: () => void, delay?: number) =>
      setTimeout(() => {
        const start = performance.now();
        task();
        const isLong = performance.now() - start > 50;
        if (isLong) Reflect.set(window, 'longTimers', Number(Reflect.get(window, 'longTimers')) + 1);
      }, delay),
    );
  });
  return () => page.evaluate(() => Number(Reflect.get(window, 'longTimers')));
}

describe('find in 100,000 messages', () => {
  it('counts all hits, needs no task over 50 ms, goes through them, and Escape returns to the same pixel', async () => {
    const list = uneven(100_000);
    for (let at = 0; at < list.length; at += 200)
      list[at] = message(`m${at + 1}`, [text(`the needle ${at}`)]);
    const { page } = await showing(list);
    // Every part has arrived.
    await page.keyboard.press('Home');
    await page.locator('[data-row="0"] .item-text').waitFor();
    await page.getByRole('log').evaluate((log) => log.scrollBy(0, log.scrollHeight / 3));
    await settled(page);
    const before = await positionOf(page);
    await findInBar(page, 'needle');
    await expect.poll(() => hits(page)).toMatch(/^\d+ of 500$/u);
    await settled(page);
    expect(await markedTexts(page, 'find-current')).toEqual(['needle']);
    const first = Number((await hits(page)).split(' ')[0]);
    for (let count = 0; count < 5; count++) await page.keyboard.press('Enter');
    await expect.poll(() => hits(page)).toBe(`${first + 5} of 500`);
    await settled(page);
    expect(await markedTexts(page, 'find-current')).toEqual(['needle']);
    const longTimers = await observeLongTimers(page);
    const runs: number[] = [];
    // Other programs of the machine make a task longer. One that the search needs is in every run.
    while (runs.length < 5 && !runs.includes(0)) {
      const earlier = await longTimers();
      for (const [wanted, shown] of [
        ['e', / of [\d,]{6,}$/u],
        ['needle', / of 500$/u],
      ] as const) {
        await page.getByRole('textbox', { name: 'Find in the conversation' }).fill(wanted);
        await expect.poll(() => hits(page), { timeout: 20_000 }).toMatch(shown);
      }
      await settled(page);
      runs.push((await longTimers()) - earlier);
    }
    expect(runs).toContain(0);
    await page.keyboard.press('Escape');
    await settled(page);
    const after = await positionOf(page);
    expect(after[0]).toBe(before[0]);
    expect(Math.abs(after[1] - before[1])).toBeLessThanOrEqual(1);
  });
});

describe('find', () => {
  it('shows a clipped text up to the hit, and scrolls to the line of the hit in a text of 5 MB', async () => {
    const line = 'The quick brown fox jumps over the lazy dog.\n';
    const long = `${line.repeat(60_000)}here is the needle\n${line.repeat(50_000)}`;
    const { page } = await showing([message('long', [text(long)]), ...messages(20)]);
    await findInBar(page, 'needle');
    await expect.poll(() => hits(page)).toBe('1 of 1');
    await settled(page);
    const place = await page.evaluate(() => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      const { top = 0, bottom = 0 } = range instanceof Range ? range.getBoundingClientRect() : {};
      const view = document.querySelector('[role="log"]')?.getBoundingClientRect();
      return top >= (view?.top ?? 0) && bottom <= (view?.bottom ?? 0) && bottom > top;
    });
    expect(place).toBe(true);
    expect(await markedTexts(page, 'find-current')).toEqual(['needle']);
    await page.keyboard.press('Escape');
  });

  it('marks only hits near the view while one letter has a million hits', async () => {
    const { page } = await showing([message('long', [text('a '.repeat(1_000_000))]), ...messages(300)]);
    await findInBar(page, 'a');
    await expect.poll(() => hits(page), { timeout: 20_000 }).toBe('1 of 1,000,300');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => hits(page)).toBe('1,000,300 of 1,000,300');
    await settled(page);
    expect((await markedTexts(page, 'find-hit')).length).toBeLessThan(5000);
    await page.keyboard.press('Escape');
  });

  it('marks hits in markup across elements, and not across blocks', async () => {
    const html =
      '<p>a <b>wo</b><i>rd</i> wo</p><p>rd</p><ul><li>wo</li><li>rd</li></ul><pre><code>word</code></pre>';
    const { page } = await showing([message('1', [{ category: 'html', html }])]);
    await findInBar(page, 'WORD');
    await expect.poll(() => hits(page)).toBe('1 of 2');
    await expect.poll(() => markedTexts(page, 'find-hit')).toEqual(['word', 'word']);
    await page.keyboard.press('Escape');
  });

  it('marks an image whose name is a hit', async () => {
    const image = { category: 'image', text: 'needle.png', blob: PIXEL };
    const { page } = await showing([message('1', [image, text('a needle')])]);
    await findInBar(page, 'needle');
    await expect.poll(() => hits(page)).toBe('1 of 2');
    const marks = () =>
      page.locator('[data-kind="image"]').evaluate((item) => item.getAttribute('data-found'));
    await expect.poll(marks).toBe('hit');
    await page.keyboard.press('Enter');
    await expect.poll(marks).toBe('current');
    await page.keyboard.press('Escape');
    await expect.poll(marks).toBeNull();
  });

  it('is accessible while it is open, and steps with F3 and Ctrl+G from the conversation', async () => {
    const { page } = await showing(messages(3));
    await findInBar(page, 'message');
    await expect.poll(() => hits(page)).toBe('1 of 3');
    expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
    await page.getByRole('log').focus();
    await page.keyboard.press('F3');
    await expect.poll(() => hits(page)).toBe('2 of 3');
    await page.keyboard.press('Control+Shift+g');
    await expect.poll(() => hits(page)).toBe('1 of 3');
    await page.keyboard.press('Shift+F3');
    await expect.poll(() => hits(page)).toBe('3 of 3');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('search').count()).toBe(0);
  });

  it('stays at the current hit when its button closes it', async () => {
    const { page } = await showing(messages(300));
    await findInBar(page, 'message 100');
    await expect.poll(() => hits(page)).toBe('1 of 1');
    await settled(page);
    const found = await positionOf(page);
    await page.getByRole('button', { name: 'Hide the find bar' }).click();
    await settled(page);
    expect(await positionOf(page)).toEqual(found);
  });

  it('keeps the count right while messages arrive and a text grows, and with another conversation', async () => {
    const { page, apply } = await showing(messages(300));
    await findInBar(page, 'message');
    await expect.poll(() => hits(page)).toBe('1 of 300');
    await page.keyboard.press('Enter');
    await apply(appended(message('new', [text('a new message')])));
    await expect.poll(() => hits(page)).toBe('3 of 301');
    await apply({ kind: 'text', frame: { text: 'a message and a message' } });
    await expect.poll(() => hits(page)).toBe('4 of 302');
    await apply(snapshot(...messages(2)));
    await expect.poll(() => hits(page)).toMatch(/2 hits|of 2$/u);
    await page.keyboard.press('Escape');
  });
});
