import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { RICH_ANSWER } from '#ui/markdown/testing/richAnswer.ts';
import { box, dispatchKey, emit, isFocused, typeKeys } from './harness/elements.ts';
import { html, markdown, message, messages, snapshot, text, uneven } from './harness/message.ts';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { setUpWindows } from './harness/renderer.ts';
import { positionOf, settled } from './harness/layout.ts';

const { sharedWindow } = setUpWindows();

const field = (page: Page) => page.getByRole('textbox', { name: 'Find in the conversation' });
const colourOf = (one: Element, mark: string) => getComputedStyle(one, mark).backgroundColor;
const styleOf = (one: Element) => getComputedStyle(one).outlineStyle;

async function findInBar(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+f');
  await field(page).fill(words);
}

const counted = (page: Page, count: string | RegExp): Promise<void> =>
  page.getByText(count, { exact: true }).and(page.locator('.find-count')).waitFor();

const markedTexts = (page: Page, name: 'find-hit' | 'find-current'): Promise<readonly string[]> =>
  page.evaluate((key) => Array.from(CSS.highlights.get(key) ?? [], String), name);

const marked = (page: Page, name: 'find-hit' | 'find-current', texts: readonly string[]) =>
  page.waitForFunction(
    ([key, wanted]) => JSON.stringify(Array.from(CSS.highlights.get(key) ?? [], String)) === wanted,
    [name, JSON.stringify(texts)] as const,
  );

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('search').waitFor({ state: 'detached' });
}

async function showing(list: readonly Message[]) {
  const window = await sharedWindow();
  await window.apply(snapshot(...list));
  await window.page.locator(`[data-row="${list.length - 1}"]`).waitFor();
  // The first hit is the last one at or above the view, which may still scroll to the newest message.
  await settled(window.page);
  return window;
}

it('opens with the keys and from the menu, takes the next keys, and gives the focus and the draft back to the text box', async () => {
  const { page } = await showing(messages(3));
  // At once, so that the next key is not lost, and in place of the browser's own search.
  expect(await dispatchKey(page, 'f', { ctrlKey: true })).toBe(true);
  expect(await isFocused(field(page))).toBe(true);
  await close(page);
  await typeKeys(page, 'draft{Meta+f}message 1{Control+f}message');
  expect(await field(page).inputValue()).toBe('message');
  await page.getByRole('button', { name: 'Hide the find bar' }).focus();
  await close(page);
  expect(await isFocused(box(page))).toBe(true);
  await page.keyboard.type('!');
  expect(await box(page).inputValue()).toBe('draft!');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Find…' }).click();
  await page.keyboard.type('x');
  expect([await field(page).inputValue(), await box(page).inputValue()]).toEqual(['x', 'draft!']);
  await close(page);
  expect(await box(page).inputValue()).toBe('draft!');
  // Escape closes one after the other: the menu of a message, the text box, the find bar.
  await page.keyboard.press('Control+f');
  await page.locator('[data-row="2"] .item').hover();
  await page.getByRole('button', { name: 'Message actions' }).click();
  await page.locator('[role="menuitem"]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[role="menuitem"]').first().waitFor({ state: 'detached' });
  for (const place of [page.getByRole('button', { name: 'Send' }), page.getByRole('log')]) {
    await place.focus();
    // From the log to a message.
    await typeKeys(page, '{ArrowUp}{Escape}');
    await box(page).waitFor({ state: 'detached' });
    expect(await field(page).count()).toBe(1);
    await typeKeys(page, 'x');
  }
  await typeKeys(page, '{Backspace}{ArrowUp}{Control+f}');
  await close(page);
  expect(await isFocused(page.getByRole('log'))).toBe(true);
});

it('goes through the hits with buttons and keys, over the ends and from the conversation, marks them in three colours, and says the count', async () => {
  const { page } = await showing(messages(3));
  await findInBar(page, 'nothing');
  await counted(page, 'No hits');
  await field(page).fill('MESSAGE');
  await counted(page, '1 of 3');
  await marked(page, 'find-hit', Array(3).fill('message'));
  for (const way of ['Next 2', 'Previous 1', 'Previous 3', 'Next 1']) {
    const [name = '', at] = way.split(' ');
    await page.getByRole('search').getByRole('button', { name }).click();
    await counted(page, `${at} of 3`);
  }
  await field(page).press('Shift+Enter');
  await counted(page, '3 of 3');
  await field(page).press('Enter');
  const marks = ['', '::highlight(find-hit)', '::highlight(find-current)'];
  const colours = await Promise.all(marks.map((mark) => page.getByRole('log').evaluate(colourOf, mark)));
  expect(new Set(colours).size).toBe(3);
  const priority = (name: string) => page.evaluate((key) => CSS.highlights.get(key)?.priority, name);
  expect([await priority('find-hit'), await priority('find-current')]).toEqual([0, 1]);
  await page.getByRole('log').focus();
  for (const [key, at] of Object.entries({ F3: 2, 'Control+Shift+g': 1, 'Shift+F3': 3 })) {
    await page.keyboard.press(key);
    await counted(page, `${at} of 3`);
  }
  // An input method keeps its keys while it composes, in the field and outside of it, as the browser does those with another meaning.
  for (const element of [field(page), page.getByRole('log')]) {
    await element.focus();
    for (const key of ['Enter', 'Escape', 'F3'])
      expect([key, await dispatchKey(page, key, { isComposing: true })]).toEqual([key, false]);
  }
  await counted(page, '3 of 3');
  for (const held of ['ctrlKey', 'altKey', 'metaKey'])
    expect(await dispatchKey(page, 'F3', { [held]: true })).toBe(false);
  // A dialog keeps its keys, too.
  await emit(page, 'about', { parley: '0', host: '', chromium: '1', node: '', licence: '' });
  await page.getByRole('dialog').waitFor();
  expect(await dispatchKey(page, 'F3')).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await counted(page, '3 of 3');
  await close(page);
  expect([await markedTexts(page, 'find-hit'), await markedTexts(page, 'find-current')]).toEqual([[], []]);
  // The closed bar follows neither keys nor the scroll, nor a change of the conversation.
  expect(await dispatchKey(page, 'F3')).toBe(false);
  await page.getByRole('log').dispatchEvent('scroll');
  await page.getByRole('log').evaluate((log) => log.append(''));
  await settled(page);
  expect(await markedTexts(page, 'find-hit')).toEqual([]);
});

it('finds a text in 2,000 messages, marks what is scrolled into view, and Escape returns to the same pixel; its button stays at the hit', async () => {
  const list = uneven(2000);
  for (let at = 0; at < list.length; at += 100) list[at] = message(`m${at + 1}`, [text(`the needle ${at}`)]);
  const { page } = await showing(list);
  await page.getByRole('log').evaluate((log) => log.scrollBy(0, -5000));
  await settled(page);
  const before = await positionOf(page);
  // A hit in the view does not move it.
  await findInBar(page, 'message');
  await counted(page, / of 1,980$/u);
  await settled(page);
  expect(await positionOf(page)).toEqual(before);
  await field(page).fill('needle');
  await counted(page, / of 20$/u);
  for (let count = 0; count < 3; count++) await page.keyboard.press('Enter');
  await settled(page);
  // A longer text stays at its hit.
  await field(page).fill('needle 1');
  await counted(page, '4 of 11');
  await field(page).fill('needle');
  await counted(page, / of 20$/u);
  await settled(page);
  expect(await markedTexts(page, 'find-current')).toEqual(['needle']);
  await page.getByRole('log').evaluate((log) => log.scrollTo({ top: 0 }));
  await page.locator('[data-row="0"]').waitFor();
  await marked(page, 'find-hit', ['needle']);
  await close(page);
  await settled(page);
  const [row, offset] = await positionOf(page);
  expect([row, Math.abs(offset - before[1]) <= 1]).toEqual([before[0], true]);
  await findInBar(page, 'needle 100');
  await counted(page, / of \d+$/u);
  await settled(page);
  const found = await positionOf(page);
  await page.getByRole('button', { name: 'Hide the find bar' }).click();
  await settled(page);
  expect(await positionOf(page)).toEqual(found);
  // Without a hit above the view, the first one is the next one below it.
  await page.getByRole('log').evaluate((log) => log.scrollTo({ top: 0 }));
  await page.locator('[data-row="0"]').waitFor();
  await settled(page);
  await findInBar(page, 'needle 1');
  await counted(page, '11 of 11');
});

it('shows a clipped text up to the hit, an item beyond the first 500, and the line of a hit in a long text', async () => {
  const line = 'The quick brown fox jumps over the lazy dog.\n';
  const long = `${line.repeat(1000)}here is the needle\n${line.repeat(50)}`;
  const items = Array.from({ length: 520 }, (_, at) => text(at === 510 ? 'the pin' : `item ${at}`));
  const wide = text(`${'word '.repeat(4500)}the clip`);
  const { page } = await showing([
    message('long', [text(long)]),
    message('many', [...items, wide]),
    ...messages(3),
  ]);
  for (const wanted of ['needle', 'pin', 'the clip']) {
    await findInBar(page, wanted);
    await counted(page, '1 of 1');
    await marked(page, 'find-current', [wanted]);
    await settled(page);
    const isInView = await page.evaluate(() => {
      const [range] = CSS.highlights.get('find-current') ?? [];
      const { top = 0, bottom = 0 } = range instanceof Range ? range.getBoundingClientRect() : {};
      const view = document.querySelector('[role="log"]')?.getBoundingClientRect();
      return top >= (view?.top ?? 0) && bottom <= (view?.bottom ?? 0) && bottom > top;
    });
    expect([wanted, isInView]).toEqual([wanted, true]);
  }
  await close(page);
  expect(await page.getByRole('button', { name: /^Show (?:all|more)$/u }).count()).toBe(0);
});

it('marks hits in markup across elements but not across blocks, in names of files and sounds, and at an image or a page that is too large', async () => {
  const blocks =
    '<p>a <b>need</b><i>le</i> need</p><p>le</p><ul><li>need</li><li>le</li></ul><table><tr><td>need</td><td>le</td></tr></table>need<br>le<pre><code>needle</code></pre>';
  const large = `<p title="needle">first</p>${'<p>A &eacute;<b>lan</b></p>'.repeat(15_000)}<p>one Need<i>le</i> &amp; more`;
  const { page } = await showing([
    message('1', [html(large)]),
    message('2', [
      { category: 'image', text: 'needle.png', blob: eveningPicture() },
      // Only the beginning and the end of its name are drawn, and only the beginning is marked.
      { category: 'file', text: `needle${`${'x'.repeat(294)}needle`.repeat(2)}`, blob: 'AAA=' },
      { category: 'audio', text: 'Needle', blob: '' },
      html(blocks),
    ]),
  ]);
  await page.getByText('This page is too large to show.').waitFor();
  await findInBar(page, 'needle');
  await counted(page, / of 8$/u);
  await marked(page, 'find-hit', ['needle', 'Needle', 'needle', 'needle']);
  const outline = (kind: string) => page.locator(`[data-kind="${kind}"]`).first().evaluate(styleOf);
  expect(await outline('image')).toBe('dashed');
  await field(page).fill('needle & more');
  await counted(page, '1 of 1');
  await page.locator('[data-kind="html"][data-found="current"]').waitFor();
  expect(await outline('html')).toBe('solid');
  // Nothing is marked in what stands in its place.
  await field(page).fill('first');
  await counted(page, '1 of 1');
  await settled(page);
  expect(await markedTexts(page, 'find-current')).toEqual([]);
  await close(page);
  await page.locator('[data-found]').first().waitFor({ state: 'detached' });
});

it('finds what is drawn of each kind of block of an answer, and opens the reasoning that contains the current hit', async () => {
  const { page, apply } = await showing([
    message('1', [markdown('The person asks about *tides*.', 'reasoning'), markdown(RICH_ANSWER)], {
      context: 'Model is writing…',
    }),
  ]);
  await page.locator('math').first().waitFor({ state: 'attached' });
  const formula = String.raw`h(t) = h_0 + \sum_{i=1}`;
  for (const wanted of ['the tidal force stretches', '13.9', formula, '=> (height > (heights']) {
    await findInBar(page, wanted);
    await counted(page, / of 1$/u);
    await settled(page);
    const [found, ...others] = await markedTexts(page, 'find-current');
    expect([found?.replaceAll(/\s+/gu, ' ').toLowerCase(), others]).toEqual([wanted.toLowerCase(), []]);
  }
  await findInBar(page, '**');
  await counted(page, 'No hits');
  await marked(page, 'find-current', []);
  await field(page).fill('asks about tides');
  await page.locator('details[open]').waitFor();
  await marked(page, 'find-current', ['asks about tides']);
  await field(page).fill('sea level rises');
  await counted(page, 'No hits');
  await apply({ kind: 'content', frame: markdown('\n\nThe **sea le') });
  await apply({ kind: 'text', frame: { text: '\n\nThe **sea level rises' } });
  await marked(page, 'find-current', ['sea level rises']);
  await close(page);
});
