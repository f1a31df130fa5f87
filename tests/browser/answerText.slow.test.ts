import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { RICH_ANSWER } from '#ui/markdown/testing/richAnswer.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { copy } from './harness/copy.ts';
import { findInBar, hits, markedTexts, settled } from './harness/find.ts';
import { appended, message, snapshot, text } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

/** What is found, selected, copied, announced, exported and printed of an answer in Markdown: what is shown. */

const { sharedWindow } = setUpSharedWindow();

const markdown = (words: string): ContentItem => ({ ...text(words), format: 'markdown' });
const reasoning = (words: string): ContentItem => ({ ...text(words), format: 'reasoning' });

/** An answer whose second item begins within a list. */
const ANSWER = [
  reasoning('The person asks about *tides*.'),
  markdown('# The **Ti**de\n\nIt is _twice_ a day, `tide()` and $a_i$\n\n1. one'),
  markdown('\n2. two\n\n| Port | Range |\n|--|--|\n| Venice | 0.8 |\n\n```js\nconst sea = 1;\n```\n'),
];
const SHOWN =
  'The Tide\nIt is twice a day, tide() and a_i\none\ntwo\nPort\tRange\nVenice\t0.8\nconst sea = 1;';

async function showing(...list: readonly ReturnType<typeof message>[]) {
  const window = await sharedWindow();
  await window.signedIn(snapshot(...list));
  await window.page
    .locator(`[data-row="${list.length - 1}"] .item`)
    .last()
    .waitFor();
  await window.page.locator('math').first().waitFor({ state: 'attached' });
  await settled(window.page);
  return window;
}

it('finds what is shown of each kind of block, and marks it in the elements that are drawn', async () => {
  const { page } = await showing(message('1', [markdown(RICH_ANSWER)]), message('2', [text('the end')]));
  for (const [wanted, count] of [
    ['the tidal force stretches', 1],
    ['see __init__ for', 1],
    ['at the pier', 1],
    ['gauge --live', 1],
    ['compare them', 1],
    ['13.9', 1],
    ['1.1', 1],
    [String.raw`\omega_i is the speed`, 1],
    [String.raw`h(t) = h_0 + \sum_{i=1}`, 1],
    ['moves it along.', 1],
    ['return mean + sum', 1],
    ['=> (height > (heights', 1],
    ['sort -t, -k2', 1],
    ['the tables show, the range differs', 1],
    ['Between two neaps', 1],
    ['https', 1],
    ['**', 0],
    ['the', 28],
  ] as const) {
    await findInBar(page, wanted);
    await expect.poll(() => hits(page)).toMatch(count === 0 ? /^No/u : new RegExp(` of ${count}$`, 'u'));
    await settled(page);
    const marked = await markedTexts(page, 'find-current');
    const found = marked.map((one) => one.replaceAll(/\s+/gu, ' ').toLowerCase());
    expect(found).toEqual(count === 0 ? [] : [wanted.toLowerCase()]);
  }
  await page.keyboard.press('Escape');
});

it('opens the reasoning that contains the current hit, and finds what a streamed answer adds', async () => {
  const { page, apply } = await showing(message('1', ANSWER, { context: 'Model is writing…' }));
  const details = page.locator('details');
  expect(await details.evaluate((one: HTMLDetailsElement) => one.open)).toBe(false);
  await findInBar(page, 'about tides');
  await expect.poll(() => hits(page)).toBe('1 of 1');
  await expect.poll(() => details.evaluate((one: HTMLDetailsElement) => one.open)).toBe(true);
  await expect.poll(() => markedTexts(page, 'find-current')).toEqual(['about tides']);
  await page.getByRole('textbox', { name: 'Find in the conversation' }).fill('sea level');
  await expect.poll(() => hits(page)).toMatch(/^No/u);
  await apply({ kind: 'content', frame: markdown('The **sea le') });
  await apply({ kind: 'text', frame: { text: 'The **sea level' } });
  await expect.poll(() => hits(page)).toBe('1 of 1');
  await expect.poll(() => markedTexts(page, 'find-current')).toEqual(['sea level']);
  await page.keyboard.press('Escape');
});

/** Selects from the middle of one text to the middle of another one, of those that are drawn. */
const selectBetween = (page: Page, from: readonly [string, number], to: readonly [string, number]) =>
  page.evaluate(
    ([first, last]) => {
      const texts = document.createTreeWalker(
        document.querySelector('.log') ?? document,
        NodeFilter.SHOW_TEXT,
      );
      const nodes: Node[] = [];
      while (texts.nextNode()) nodes.push(texts.currentNode);
      const find = (words: string) => nodes.find((node) => node.nodeValue === words) ?? document;
      document.getSelection()?.setBaseAndExtent(find(first[0]), first[1], find(last[0]), last[1]);
    },
    [from, to] as const,
  );

it('copies the selected part of what is shown, and all of a message as text, as its source and as HTML', async () => {
  const { page } = await showing(message('1', ANSWER), message('2', [text('the end')]));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await selectBetween(page, ['Ti', 1], ['the end', 3]);
  const fromTide = SHOWN.slice(SHOWN.indexOf('ide'));
  expect(await copy(page)).toBe(`Parley:\n${fromTide}\n\nParley:\nthe`);
  await selectBetween(page, ['Venice', 3], ['the end', 3]);
  expect(await copy(page)).toBe('Parley:\nice\t0.8\nconst sea = 1;\n\nParley:\nthe');
  await page.getByRole('log').focus();
  await page.keyboard.press('ControlOrMeta+a');
  expect(await copy(page)).toBe(`Parley:\n${SHOWN}\n\nParley:\nthe end`);
  const copied = await copy(page, 'text/html');
  expect(copied).toContain('<em>twice</em>');
  expect(copied).not.toContain('asks about');

  await page.mouse.move(0, 0);
  const chosen = async (name: string) => {
    await page.locator('[data-message-id="1"] .item').nth(1).hover();
    await page.getByRole('button', { name: 'Message actions' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await page.getByText('Copied').waitFor({ state: 'attached' });
    await page.mouse.move(0, 0);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await chosen('Copy as text')).toBe(SHOWN);
  expect(await chosen('Copy as Markdown')).toBe(`${ANSWER[1]?.text}${ANSWER[2]?.text}`);
  const html = await chosen('Copy as HTML');
  expect(html).toMatch(/<em>twice<\/em> a day, <code>tide\(\)<\/code>.*<math/u);
  expect(html).not.toContain('<button');
});

it('announces each block of an answer once, without its marks, while it streams', async () => {
  const { page, apply } = await showing(message('1', [markdown('$a$')]));
  await page.evaluate(() => {
    const heard: string[] = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        heard.push(...Array.from(addedNodes, (node) => node.textContent ?? ''));
    }).observe(document.querySelector('.visually-hidden[aria-relevant]') ?? document, { childList: true });
    Object.assign(window, { heard });
  });
  const heard = () => page.evaluate((): unknown => Reflect.get(window, 'heard'));
  await apply(appended(message('2', [reasoning('hm')], { context: 'Model' })));
  await apply({ kind: 'content', frame: markdown('') });
  const all = '## **Tides**\n\nTwo *times* a day.\n\n- one\n- `two`\n\nThe [end](https://example.org)';
  for (let length = 10; length < all.length; length += 10)
    await apply({ kind: 'text', frame: { text: all.slice(0, length) } });
  await apply({ kind: 'text', frame: { text: all } });
  await expect.poll(heard).toEqual(['Model: Tides', 'Two times a day.', 'one\ntwo', 'The end']);
});

/** Expects the rich answer in a page as the window draws it. */
function expectDrawn(html: string): void {
  expect(html).toContain('<strong>twice a day</strong>');
  expect(html).toContain('<summary>Reasoning</summary>');
  expect(html.match(/<math/gu)).toHaveLength(3);
  expect(html.match(/<pre/gu)).toHaveLength(3);
  expect(html).not.toMatch(/<button|\*\*/u);
}

it('is exported as a page and printed as it is drawn, and exported as Markdown as it was written', async () => {
  const { page } = await showing(message('1', [reasoning('Hm.'), markdown(RICH_ANSWER)]));
  const exported = async (format: string) => {
    await page.evaluate(() => window.fakeMain.emit('export'));
    await page.getByRole('radio', { name: format }).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    return readFile(await download.path(), 'utf8');
  };
  expectDrawn(await exported('Web page'));
  expect(await exported('Markdown')).toContain(`**Parley**\n\n${RICH_ANSWER}`);
  expect(await exported('Plain text')).toContain(
    '\nThe sea rises twice a day, although the Moon passes once: ',
  );
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('printed');
    window.fakeMain.emit('print');
  });
  await page.locator('body.printed').waitFor();
  expectDrawn(await page.locator('.print-area').innerHTML());
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.evaluate(() => document.body.classList.remove('printed'));
});

it('is accessible, light and dark, while it streams and after it', async () => {
  const { page, apply } = await sharedWindow();
  const begun = message('1', [reasoning('Hm, `wait`.'), markdown('')], { context: 'Parley is writing…' });
  await apply(snapshot(begun));
  await page.getByText('Reasoning', { exact: true }).click();
  for (const [end, context, shown] of [
    [RICH_ANSWER.indexOf('A_i'), 'Parley is writing…', '.formula-source'],
    [RICH_ANSWER.length, 'Parley', '.footnote'],
  ] as const) {
    await apply({ kind: 'text', frame: { text: RICH_ANSWER.slice(0, end) } });
    await apply({ kind: 'context', frame: { context } });
    await page.locator(shown).waitFor();
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  }
});
