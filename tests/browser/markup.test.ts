import { join } from 'node:path';
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { avatar } from '#platform/assistant/pictures.ts';
import { HTML_CELLS, HTML_DEPTH, HTML_LENGTH, HTML_NODES } from '#shared/limits.ts';
import { SEED } from '#tests/builders/checkProperty.ts';
import { HOSTILE_MARKUP, HUGE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { appended, claimedPng, html, markdown, message, snapshot, text } from './harness/message.ts';
import { poisonPage } from './harness/pageAccess.ts';
import { setUpWindows } from './harness/renderer.ts';
import { workerBrowser } from './harness/chromium.ts';
import type { Sanitizers } from './harness/sanitizers.ts';

/** Checks that no content of a message can do harm, or break more of the window than the message itself. */
const { sharedWindow } = setUpWindows();

/** Shows one message with pages, between two texts; resolves when they are drawn. */
async function showing(...pages: readonly string[]) {
  const window = await sharedWindow();
  await window.apply(snapshot(message('1', [text('before'), ...pages.map(html), text('after')])));
  const items = window.page.locator('[data-category="html"]');
  await window.page.getByText('after', { exact: true }).waitFor();
  // They are sanitized in several tasks, the newest first.
  if (pages.length > 0) await items.first().locator(':not(:empty)').first().waitFor();
  return { ...window, items };
}

const ran = (page: Page) => page.evaluate(() => 'wasRun' in window);

it('spec §2.4 `html`: draws text, lists, tables and embedded pictures, and removes scripts, loads, styles, roles, forms and all links but those to the web and to mail', async () => {
  const hrefs = ['https://example.org/', 'http://example.org/', 'mailto:ada@example.org'];
  const scripts = ['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'blob:null/1'];
  const bad = [...scripts, 'file:///etc/passwd', '//example.org/', '/logout', '#root'];
  const links = [...hrefs, ...bad].map(
    (href) => `<a href="${href}" target="_self" ping="https://evil.example">${href.trim()}</a>`,
  );
  const { page, items, apply, problems } = await showing(
    `<h2>Title</h2><ul><li>one</li></ul><table><tr><td>cell</td></tr></table>${links.join(' ')}`,
  );
  await page.getByRole('heading', { name: 'Title' }).waitFor();
  await page.getByRole('cell', { name: 'cell' }).waitFor();
  const kept = await items.locator('a').evaluateAll((all) => all.map((one) => one.outerHTML));
  const web = hrefs.map((href) => `<a href="${href}" target="_blank" rel="noopener noreferrer">${href}</a>`);
  expect(kept).toEqual([...web, ...bad.map((href) => `<a>${href.trim()}</a>`)]);
  expect(problems).toEqual([]);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await apply(appended(message('2', [...HOSTILE_MARKUP, ...STRANGE_MARKUP].map(html))));
  const markup = page.locator('[data-message-id="2"]');
  await markup.getByText('words', { exact: true }).waitFor();
  await markup.locator('[data-category="html"]').first().locator(':not(:empty)').first().waitFor();
  const found = await markup.evaluate((one) => {
    const all = Array.from(one.querySelectorAll('.markup *'));
    const tags =
      'script, style, iframe, form, input, button, svg, math, video, object, embed, link, base, meta, template, select';
    const names = all.flatMap((element) => element.getAttributeNames());
    return [
      ...all.filter((element) => element.matches(tags)).map(({ localName }) => localName),
      ...names.filter((name) => /^(?:on|style|id|src|srcset|action|ping|is$)/u.test(name)),
    ];
  });
  expect(found).toEqual([]);
  expect([await ran(page), requests]).toEqual([false, []]);
  expect(await page.getByText('cannot be shown').count()).toBe(0);
  // The policy blocks scripts of the markup, also while it is parsed.
  expect(problems.filter((words) => !words.includes('Content Security Policy'))).toEqual([]);
});

declare global {
  const sanitizers: Sanitizers;
}

/** Markup that is converted to text and to Markdown. */
const CONVERTED = [
  '<h2> A <b> b </b>c</h2>d<br>e<hr># f',
  '<ol start=9><li>a<p>b</p><li><ul><li>c</ul></ol><blockquote><p>d</p>e</blockquote>',
  '<pre><b>a\n  ```b\n</b></pre><code>c``d</code> <kbd>`</kbd>',
  '<pre><code class="language-js">a</code></pre>',
  '<table><caption>- a</caption><tr><th>b<tr><td>e<table><tr><td>f<td>g</table><td>c|d</table>',
  '<a href="https://a.org/a b>"> a </a><a>b</a><img alt="c*"><del>d</del> <i></i><b> </b>.',
  '<script>a</script>',
  '<dl><dt>a<dd>b</dl><details><summary>c</summary>d</details><figure>e<figcaption>f</figure>',
  '<ul><li>a<ol><li>b<li>c</ol></ul><h6>d<br>e</h6><h1> </h1><p> f<br> g<i> h </i>i',
  '<strike>a</strike> <s>b</s> <i>c</i> <strong>d</strong> <samp>e`</samp><code> </code>f',
  '<table><tr><td>a<br><br>b<td></table><table></table><a href="mailto:a@b.org"><img alt="c"></a>',
  '<blockquote><ol start="-1"><li><pre>a\n\nb</pre></ol></blockquote>c &amp;amp; d_e _f_ <u>g</u><ol start=100000000><li><a href="https://a.org/\\b">c</a><code> d</code></ol><ol start=0><li>e</ol>',
];

/** Beginnings and ends of nested lists and blocks, in any order. */
const PARTS =
  '<ol start=7><li>|<ol><li>|<li>a|</ol>|<ul><li>b|</ul>|<div>|</div>|<details>c|<b>d</b>|<p>e'.split('|');
const randomPage = fc.array(fc.constantFrom(...PARTS), { minLength: 900 }).map((all) => all.join(''));

/** Rows of cells, each with the columns and rows that it covers. */
type Table = readonly (readonly (readonly [columns: number, rows: number])[])[];
const randomCell = fc.tuple(fc.constantFrom(0, 1, 100, 400), fc.constantFrom(1, 1, 2, 3, 0));
const randomRow = fc.array(randomCell, { minLength: 1, maxLength: 3 });
const randomTable = fc.array(randomRow, { minLength: 40, maxLength: 160 });

const tableMarkup = (table: Table) =>
  `<table>${table.map((row) => `<tr>${row.map((cell) => `<td colspan=${cell[0]} rowspan=${cell[1]}>a`).join('')}`).join('')}`;

/** Returns the rows of a table times the columns of its widest one. */
function placesOf(table: Table): number {
  const widths = table.map((_, at) => {
    const above = table.slice(0, at + 1);
    const cells = above.flatMap((row, from) => row.filter(([, rows]) => rows === 0 || from + rows > at));
    return cells.reduce((sum, [columns]) => sum + Math.max(1, columns), 0);
  });
  return table.length * Math.max(...widths);
}

it('sanitizes markup that is parsed in pieces or shown in parts as markup that is parsed at once, limits the places in tables, and converts it to text and Markdown', async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'harness/sanitizers.ts') });
  const { output } = await bundle.generate({ format: 'iife', name: 'sanitizers' });
  await bundle.close();
  const pages = [...HOSTILE_MARKUP, ...STRANGE_MARKUP];
  const plain = await (await workerBrowser()).newPage();
  await plain.addScriptTag({ content: output[0].code });
  const sanitized = (all: readonly string[]) =>
    plain.evaluate((list) => list.map((one) => sanitizers.sanitizeBoth(one)), all);
  const results = await sanitized(pages);
  expect(results.filter(([inPieces, atOnce]) => inPieces !== atOnce).slice(0, 3)).toEqual([]);
  const numbered = await plain.evaluate(
    (list) => list.map(sanitizers.numberBoth),
    fc.sample(randomPage, { seed: SEED, numRuns: 4 }),
  );
  for (const [inParts, atOnce, continued] of numbered) expect([inParts, continued]).toEqual([atOnce, 1]);
  // Attributes and pixels count, too.
  const names = Array.from({ length: HTML_NODES + 1 }, (_, at) => String.fromCharCode(0x4e00 + at)).join(' ');
  const image = `<img src="data:image/png;base64,${claimedPng(10_000)}">`;
  const slow = image.replace('src', `alt="${'אa'.repeat(1001)}" src`);
  const kept =
    '<abbr>a</abbr><b>a</b><bdi>a</bdi><bdo>a</bdo><cite>a</cite><code>a</code><del>a</del><dfn>a</dfn><em>a</em><i>a</i><ins>a</ins><kbd>a</kbd><mark>a</mark><q>a</q><s>a</s><samp>a</samp><small>a</small><span>a</span><strike>a</strike><strong>a</strong><sub>a</sub><sup>a</sup><tt>a</tt><u>a</u><var>a</var><center>a</center><dl>a</dl><div>a</div><figure>a</figure><h1>a</h1><h6>a</h6><blockquote>a</blockquote><ol start="2" reversed=""><li value="3" lang="de" title="a">b</li></ol><details open=""><summary>c</summary></details><time datetime="1">d</time><hr><wbr>';
  expect(await sanitized([kept])).toEqual([[kept, kept]]);
  const limits = await sanitized([image, '<hr>', `<p ${names}>a`, image + image, slow]);
  expect(limits.map(([, atOnce]) => atOnce?.slice(0, 4)).join(' ')).toBe('<img <hr> tooL tooL tooL');
  const highest =
    '<p width="10000" height="2000">a</p><table><tbody><tr><td colspan="1000" rowspan="1000">a</td></tr></tbody></table>';
  const higher = highest.replaceAll(/\d+/gu, (digits) => String(Number(digits) + 1));
  expect((await sanitized([higher, highest])).flat()).toEqual(Array(4).fill(highest));
  const tables = fc.sample(randomTable, { seed: SEED, numRuns: 40 });
  const limited = await sanitized(tables.map(tableMarkup));
  const isKept = limited.map(([, atOnce]) => atOnce?.includes('span='));
  expect(isKept).toEqual(tables.map((one) => placesOf(one) <= HTML_CELLS));
  expect(new Set(isKept).size).toBe(2);
  const converted = await plain.evaluate(
    (list) => list.map((one) => [`## ${one}`, ...sanitizers.convert(one)].join('\n\n')),
    CONVERTED,
  );
  const readable = `${converted.join('\n\n')}\n`;
  await expect(readable).toMatchFileSnapshot('../../src/ui/export/testing/converted.txt');
  const part = await plain.evaluate(() => sanitizers.convert('<p>ab</p> <p>cd</p>ef', 1, 4)[0]);
  expect(part).toBe('b\nc');
  // Each copy has its own time.
  await plain.clock.install();
  await plain.clock.pauseAt(Date.now() + 60_000);
  await plain.evaluate(() => {
    const refused = { writeText: () => Promise.reject(new Error('refused')) };
    Object.defineProperty(navigator, 'clipboard', { value: refused });
    document.body.append(Object.assign(document.createElement('pre'), { textContent: 'ab' }));
    sanitizers.decorateCode(document.body);
    document.addEventListener('codecopied', (event) => (document.title = JSON.stringify(event)));
  });
  const button = plain.getByRole('button');
  const labels: (string | null)[] = [];
  for (const waited of [0, 1500, 1500, 500]) {
    await plain.clock.runFor(waited);
    labels.push(await button.getAttribute('aria-label'));
    if (labels.length < 3) await button.press('Enter');
  }
  expect(labels).toEqual(['Copy', 'Not copied', 'Not copied', 'Copy']);
  expect(await plain.title()).toContain('"codeLength":2,"isCopied":false');
  await plain.close();
});

const nested = (depth: number) => `${'<div>'.repeat(depth)}x`;

it('contract §5 markup over a limit: shows a page at a limit at once, over it on request and in parts, too large cells as single ones, and text that a browser lays out slowly in part', async () => {
  const pages = [nested(HTML_DEPTH), 'x'.padEnd(HTML_LENGTH), '<p></p>', nested(HTML_DEPTH + 1)];
  const over = [`${'<br>'.repeat(HTML_NODES)}x`, `x${' '.repeat(HTML_LENGTH)}`];
  const { page, items, apply, problems } = await showing(...pages, ...over);
  const huge = Object.values(HUGE_MARKUP).filter(({ length }) => length < 1_000_000);
  const firstWords = async () => (await items.allTextContents()).map((words) => words.trim().slice(0, 9));
  for (const at of [0, 1]) await items.nth(at).filter({ hasText: 'x' }).waitFor();
  await page.getByText('This page is too large to show.').nth(2).waitFor();
  expect(await firstWords()).toEqual(['x', 'x', '...', 'This page', 'This page', 'This page']);
  const slow = ['aא'.repeat(90_000), `a${'\u0301'.repeat(190_000)}`] as const;
  const context = `${'name '.repeat(40_000)}x`;
  const slowMessage = message('slow', [html(slow[0]), text('')], { context });
  await apply(snapshot(message('huge', huge.map(html)), slowMessage));
  await apply({ kind: 'text', frame: { text: slow[1] } });
  const refused = page.getByText('This page is too large to show.');
  await refused.nth(huge.length).waitFor();
  expect(await page.locator('.markup').count()).toBe(0);
  const articles = page.getByRole('article');
  const lengths = await articles.evaluateAll((all) => all.map((one) => one.textContent.length));
  expect(Math.max(...lengths)).toBeLessThan(4000);

  const rows = Array.from({ length: 1000 }, (_, at) => `<li class="x">item ${at}</li>`).join('');
  const table = `<table>${'<tr><td rowspan=65534 colspan=1000>a</tr>'.repeat(50)}</table>`;
  const large = `<section class="x"><p>first</p><ol start="5">${rows}</ol><script>${'x'.repeat(30_000)}</script></section>${table}<pre>${'word '.repeat(80)}</pre><p>last</p>`;
  await apply(snapshot(message('1', [html(large)])));
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await page.locator('.markup[aria-busy="false"]').getByText('last', { exact: true }).waitFor();
  const shown = await page.locator('.markup').evaluate((markup) => ({
    items: Array.from(markup.querySelectorAll('ol > li'), (one) => one.textContent),
    removed: markup.querySelectorAll('section, script, [class=x], [rowspan], [colspan]').length,
    end: markup.parentElement?.textContent.slice(-5),
    added: markup.querySelectorAll(':scope > .markup-part > .table[dir=auto] > table, .code').length,
  }));
  const all = Array.from({ length: 1000 }, (_, at) => `item ${at}`);
  expect([shown, problems]).toEqual([{ items: all, removed: 0, end: ' last', added: 2 }, []]);
  await page.getByRole('group', { name: 'Code' }).waitFor();
  // It stays open for another page, also after one that is not too large.
  await apply(snapshot(message('1', [html('small')])));
  await page.locator('.markup').getByText('small', { exact: true }).waitFor();
  await apply(snapshot(message('1', [html('<br>'.repeat(HTML_NODES + 1))])));
  await page.locator('.markup[aria-busy="false"]').getByText('...', { exact: true }).waitFor();
});

it('wraps the cells of tables between words only, scrolls wide tables and code in themselves, and keeps their places when the item changes', async () => {
  const wide = `<table><tr>${'<td>Configurationdirectory of them</td>'.repeat(8)}</tr></table>`;
  const code = `<p dir=rtl><code>inline</code></p><pre><code>${'word '.repeat(80)}</code></pre><table><tr><td>narrow<table><tr><td>x</table></table><pre>short</pre>`;
  const others = 'h1 h6 dl blockquote center figure ul ol div'.replaceAll(/\S+/gu, '<$&>a</$&>');
  const { page, apply } = await showing(wide + code + others);
  const scrollers = page.getByRole('article').getByRole('group');
  await scrollers.nth(1).waitFor();
  expect(await page.locator('.markup > :not(.code, [dir])').count()).toBe(0);
  const described = await scrollers.evaluateAll((all) =>
    all.map((one) => `${one.ariaLabel} ${one.tabIndex} ${one.scrollWidth > one.clientWidth}`),
  );
  expect(described).toEqual(['Table 0 true', 'Code 0 true']);
  const blocks = page.locator('.markup .table, .markup > p');
  const directions = await blocks.evaluateAll((all) => all.map((one) => one.getAttribute('dir')));
  expect(directions).toEqual(['auto', 'rtl', 'auto']);
  const cell = page.locator('td').first();
  const linesOfWord = await cell.evaluate((one) => {
    const word = document.createRange();
    word.setStart(one.firstChild ?? one, 0);
    word.setEnd(one.firstChild ?? one, 'Configurationdirectory'.length);
    return word.getClientRects().length;
  });
  expect(linesOfWord).toBe(1);
  expect(await page.locator('.markup').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  const bothScrolled = () =>
    page.waitForFunction(() =>
      Array.from(document.querySelectorAll('[role=group]')).every(
        (one, at) => one.scrollLeft === 40 + at * 40,
      ),
    );
  // Chromium scrolls by 40 pixels, in several frames.
  for (const index of [0, 1, 1]) await scrollers.nth(index).press('ArrowRight');
  await bothScrolled();
  await apply(snapshot(message('1', [text('before'), html(`${wide}${code}<p>More</p>`), text('after')])));
  await page.getByText('More', { exact: true }).waitFor();
  await bothScrolled();
});

it('shows code with its language, colours and a button that copies exactly the code, loads the highlighter for it, and leaves long code plain', async () => {
  const code = 'const a: number = 1;\n// "b" </b>\n\n  return `${a}`;\n';
  const block = `<p>Before</p><pre><code class="x language-TS">${code.replaceAll('<', '&lt;')}</code></pre><pre>plain</pre>`;
  const { page, apply } = await showing(block);
  await page.locator('.code-keyword', { hasText: 'return' }).waitFor();
  const article = page.getByRole('article').first();
  expect(await article.locator('pre').allTextContents()).toEqual([code, 'plain']);
  const item = article.locator('.item').nth(1);
  await item.evaluate((one) => getSelection()?.selectAllChildren(one));
  expect(await page.evaluate(() => String(getSelection()))).toBe(`Before\n\n${code}plain`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await article.locator('.items').getByRole('button', { name: 'Copy', exact: true }).first().press('Enter');
  await article.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  const label = article.locator('.code-label').first();
  expect(await label.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('"TypeScript"');
  const comment = `${'a();\n'.repeat(300)}/*${'let a\n'.repeat(100)}*/`;
  const blocks = ['export const a = 1;\n'.repeat(6000), `${comment} let b`].map((words) =>
    html(`<pre><code class="language-ts">${words}</code></pre>`),
  );
  await apply(snapshot(message('2', blocks)));
  await page.locator('.code-keyword', { hasText: 'let' }).waitFor();
  expect(await page.locator('.code-keyword').count()).toBe(1);
});

it('contract §5 an item that fails: shows a message and the source in place of an item, of a message or of the window that cannot be drawn, and keeps everything else', async () => {
  const { page, apply, problems } = await sharedWindow();
  await page.evaluate(poisonPage);
  const broken = { category: 'audio', text: 'a sound', blob: 'poison' };
  await apply(
    snapshot(
      message('1', [text('before'), broken, html('poison'), markdown('poison'), text('after')]),
      message('2', [text('hidden')], { avatar: 'poison' }),
      message('3', [text('next')]),
    ),
  );
  await page.getByText('This message cannot be shown.').waitFor();
  const drawn = ['before', ...Array(3).fill('This item cannot be shown.Show source'), 'after', 'next'];
  expect(await page.locator('[data-category]').allTextContents()).toEqual(drawn);
  await page.getByRole('button', { name: 'Show source' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByText('"blob": "poison"').waitFor();
  await page.getByRole('button', { name: 'Hide source', expanded: true }).press('Enter');
  expect(await page.getByText('"blob": "poison"').count()).toBe(0);
  const mended = [text('before'), { ...broken, text: 'another sound', blob: '' }, html('a'), markdown('b')];
  await apply(snapshot(...['1', '2'].map((id) => message(id, mended))));
  await page.getByRole('article').getByText('another sound', { exact: true }).nth(1).waitFor();
  expect(await page.getByRole('button', { name: 'Show source' }).count()).toBe(0);
  const picture = page.locator('img.avatar');
  await apply(snapshot(message('1', [text('broken')], { avatar: avatar().slice(0, 40) })));
  await page.getByText('broken', { exact: true }).waitFor();
  await picture.waitFor({ state: 'detached' });
  await apply(snapshot(message('1', [text('whole')], { avatar: avatar() })));
  await picture.waitFor();
  await apply({ kind: 'name', frame: { name: 'poison' } });
  const words = 'This window cannot be shown. Reload it; your conversation is kept.Reload';
  expect(await page.getByRole('alert').textContent()).toBe(words);
  expect(problems[0]).toMatch(/^A part of the page cannot be shown: Error\n/u);
  expect(problems.join('')).not.toContain('secret words');
  await apply({ kind: 'name', frame: { name: 'Ada' } });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.locator('main').waitFor();
});
