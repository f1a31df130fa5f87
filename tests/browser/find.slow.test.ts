import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { findInBar, hits, markedTexts, positionOf, settled } from './harness/find.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
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
  // The first hit is the last one at or above the view, which may still scroll to the newest message.
  await settled(window.page);
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
  it('has the focus when the key that opens it returns, so that the next key is not lost', async () => {
    const { page } = await showing(messages(3));
    const focused = await page.evaluate(() => {
      const [key, options] = [
        'keydown',
        { key: 'f', ctrlKey: true, bubbles: true, cancelable: true },
      ] as const;
      document.body.dispatchEvent(new KeyboardEvent(key, options));
      return document.activeElement?.matches('search input') ?? false;
    });
    expect(focused).toBe(true);
    await page.keyboard.press('Escape');
  });

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

  it('marks the hits in rows that are scrolled into view', async () => {
    const { page } = await showing(messages(300));
    await findInBar(page, 'message 15');
    await expect.poll(() => hits(page)).toBe('1 of 11');
    await settled(page);
    await page.getByRole('log').evaluate((log) => log.scrollTo({ top: 0 }));
    await page.locator('[data-row="14"]').waitFor();
    await expect.poll(() => markedTexts(page, 'find-hit')).toEqual(['message 15']);
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

  it('marks names of files and sounds, and an image whose name is a hit', async () => {
    const image = { category: 'image', text: 'needle.png', blob: PIXEL };
    const file = { category: 'file', text: 'needle.txt', blob: 'YQ==' };
    const sound = { category: 'audio', text: 'Needle', blob: '' };
    const { page } = await showing([message('1', [image, file, sound, text('a needle')])]);
    await findInBar(page, 'needle');
    await expect.poll(() => hits(page)).toBe('1 of 4');
    await expect.poll(() => markedTexts(page, 'find-hit')).toEqual(['needle', 'Needle', 'needle']);
    const item = page.locator('[data-kind="image"]');
    const marks = () => item.evaluate((one) => one.getAttribute('data-found'));
    await expect.poll(marks).toBe('hit');
    expect(await item.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('dashed');
    for (const count of ['2 of 4', '3 of 4', '4 of 4']) {
      await page.keyboard.press('Enter');
      await expect.poll(() => hits(page)).toBe(count);
    }
    await expect.poll(marks).toBe('current');
    expect(await item.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
    await page.keyboard.press('Escape');
    await expect.poll(marks).toBeNull();
  });

  it('finds the text of a page that is too large to show, and marks its place', async () => {
    const line = '<p>A &eacute;<b>lan</b> <!-- nadel -->of<br>words</p><script>nadel</script>';
    const html = `<p title="nadel">first</p>${line.repeat(4000)}<p>one Nad<i>el</i> &amp; more</p>`;
    const { page } = await showing([message('1', [{ category: 'html', html }]), ...messages(40)]);
    await findInBar(page, 'nadel & more');
    await expect.poll(() => hits(page)).toBe('1 of 1');
    const item = page.locator('[data-kind="html"]');
    const marks = () => item.evaluate((one) => one.getAttribute('data-found'));
    await expect.poll(marks).toBe('current');
    await expect.poll(() => item.getByText('This page is too large to show.').isVisible()).toBe(true);
    await page.getByRole('textbox', { name: 'Find in the conversation' }).fill('élan of words');
    await expect.poll(() => hits(page)).toBe('1 of 4,000');
    await page.keyboard.press('Escape');
    await expect.poll(marks).toBeNull();
  });

  it('shows the item of a hit beyond the first 500 items of a message', async () => {
    const items = Array.from({ length: 700 }, (_, at) => text(at === 600 ? 'the needle' : `item ${at}`));
    const { page } = await showing([message('1', items)]);
    expect(await page.locator('[data-kind]').count()).toBe(500);
    await findInBar(page, 'needle');
    await expect.poll(() => hits(page)).toBe('1 of 1');
    await expect.poll(() => markedTexts(page, 'find-current')).toEqual(['needle']);
    await page.keyboard.press('Escape');
  });

  it('opens with ⌘F and from the menu, takes the next keys, and gives the focus and the draft back to the text box', async () => {
    const { page } = await showing(messages(3));
    const field = page.getByRole('textbox', { name: 'Find in the conversation' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await page.keyboard.type('draft');
    await page.keyboard.press('Meta+f');
    await page.keyboard.type('message 1');
    expect(await field.inputValue()).toBe('message 1');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('message');
    expect(await field.inputValue()).toBe('message');
    await page.keyboard.press('Escape');
    expect(await box.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type('!');
    expect(await box.inputValue()).toBe('draft!');
    await chooseFromMenu(page, 'Find…');
    await page.keyboard.type('x');
    expect([await field.inputValue(), await box.inputValue()]).toEqual(['x', 'draft!']);
    await page.getByRole('button', { name: 'Hide the find bar' }).focus();
    await page.keyboard.press('Escape');
    expect(await box.inputValue()).toBe('draft!');
    await page.keyboard.press('Escape');
    expect(await box.count()).toBe(0);
  });

  it('suppresses the browser’s own search', async () => {
    const { page } = await showing(messages(3));
    const isSuppressed = await page.getByRole('log').evaluate((log) => {
      const press = { key: 'f', ctrlKey: true, bubbles: true, cancelable: true };
      return !log.dispatchEvent(new KeyboardEvent('keydown', press));
    });
    expect(isSuppressed).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('goes to the next and the previous hit with buttons and Enter, over the ends, and says the count', async () => {
    const { page } = await showing(messages(3));
    await findInBar(page, 'message');
    await expect.poll(() => hits(page)).toBe('1 of 3');
    await expect.poll(async () => (await markedTexts(page, 'find-hit')).length).toBe(3);
    for (const [act, expected] of [
      ['Next', '2 of 3'],
      ['Next', '3 of 3'],
      ['Next', '1 of 3'],
      ['Previous', '3 of 3'],
      ['Previous', '2 of 3'],
    ] as const) {
      await page.getByRole('search').getByRole('button', { name: act }).click();
      await expect.poll(() => hits(page)).toBe(expected);
    }
    const field = page.getByRole('textbox', { name: 'Find in the conversation' });
    await field.press('Enter');
    await expect.poll(() => hits(page)).toBe('3 of 3');
    await field.press('Shift+Enter');
    await expect.poll(() => hits(page)).toBe('2 of 3');
    expect(await page.locator('.find-count').getAttribute('aria-live')).toBe('polite');
    const colours = await page
      .getByRole('log')
      .evaluate((log) =>
        ['', '::highlight(find-hit)', '::highlight(find-current)'].map(
          (mark) => getComputedStyle(log, mark).backgroundColor,
        ),
      );
    expect(new Set(colours).size).toBe(3);
    await field.press('Escape');
    await page.getByRole('search').waitFor({ state: 'detached' });
    expect(await markedTexts(page, 'find-hit')).toEqual([]);
    expect(await markedTexts(page, 'find-current')).toEqual([]);
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
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.nodeName)).toBe('ARTICLE');
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
    await expect.poll(() => hits(page)).toBe('2 of 300');
    await apply(appended(message('new', [text('a new message')])));
    await expect.poll(() => hits(page)).toBe('3 of 301');
    await apply({ kind: 'text', frame: { text: 'a message and a message' } });
    await expect.poll(() => hits(page)).toBe('4 of 302');
    await apply(snapshot(...messages(2)));
    await expect.poll(() => hits(page)).toMatch(/2 hits|of 2$/u);
    await page.keyboard.press('Escape');
  });
});
