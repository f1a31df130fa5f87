import type { Page } from 'playwright-core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { HTML_DEPTH, HTML_LENGTH, HTML_NODES } from '#shared/limits.ts';
import { HOSTILE_MARKUP, HUGE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { SEED } from '#tests/builders/checkProperty.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { updateOf } from '#tests/builders/updateOf.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { poisonPage } from './harness/poisonPage.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { appended, message, snapshot, text } from './harness/message.ts';

/** Checks that no content of a message can break more of the window than the message itself. */
const { sharedWindow } = setUpSharedWindow();

const html = (markup: string): ContentItem => ({ category: 'html', html: markup });

/** Returns the shared window, in which an error can be caused. */
async function windowWithPoison() {
  const window = await sharedWindow();
  await window.page.evaluate(poisonPage);
  return window;
}

const nested = (depth: number) => `${'<div>'.repeat(depth)}x`;

/** Returns a table with equal rows. */
const tableOf = (rows: number, cells: string) => `<table>${`<tr>${cells}</tr>`.repeat(rows)}</table>`;

const source = (page: Page) => page.getByRole('button', { name: 'Show source' });

describe('a rendering error', () => {
  it('contract §5 an item that fails: in an item shows a message and the source in its place, and keeps everything else', async () => {
    const { page, signedIn, apply, problems } = await windowWithPoison();
    const broken = { category: 'audio', text: 'a sound', blob: 'poison' };
    await signedIn(
      snapshot(message('1', [text('before'), broken, text('after')]), message('2', [text('next')])),
    );
    const items = page.locator('[data-category]');
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['before', 'This item cannot be shown.Show source', 'after', 'next']);
    await source(page).focus();
    await page.keyboard.press('Enter');
    const hide = page.getByRole('button', { name: 'Hide source' });
    expect(await hide.getAttribute('aria-expanded')).toBe('true');
    await page.getByText('"blob": "poison"').waitFor();
    await hide.press('Enter');
    expect(await page.getByText('"blob": "poison"').count()).toBe(0);
    expect(problems).toEqual([expect.stringMatching(/^A part of the page cannot be shown: Error\n/u)]);
    expect(problems.join('')).not.toContain('secret words');
    await apply(appended(message('3', [text('later')])));
    await page.getByText('later', { exact: true }).first().waitFor();
  });

  it('in an item is cleared when the item changes', async () => {
    const { page, signedIn, apply } = await windowWithPoison();
    await signedIn(snapshot(message('1', [{ category: 'audio', text: 'a sound', blob: 'poison' }])));
    await source(page).waitFor();
    await apply(snapshot(message('1', [{ category: 'audio', text: 'another sound', blob: '' }])));
    await page.getByRole('article').getByText('another sound', { exact: true }).waitFor();
    expect(await source(page).count()).toBe(0);
  });

  it('in a message shows a notice and the source in its place, and keeps the others', async () => {
    const { page, signedIn } = await windowWithPoison();
    await signedIn(
      snapshot(message('1', [text('hidden')], { avatar: 'poison' }), message('2', [text('next')])),
    );
    const articles = page.getByRole('article');
    await expect
      .poll(() => articles.allTextContents())
      .toEqual(['This message cannot be shown.Show source', 'nextParley']);
    await source(page).click();
    await page.getByText('"text": "hidden"').waitFor();
  });

  it('in the window itself shows a notice and a button to reload', async () => {
    const { page, signedIn, apply, problems } = await windowWithPoison();
    await signedIn(snapshot(message('1', [text('one')])));
    await apply({ kind: 'name', frame: { name: 'poison' } });
    expect(await page.getByRole('alert').textContent()).toBe(
      'This window cannot be shown. Reload it; your conversation is kept.Reload',
    );
    expect(problems.join('')).not.toContain('secret words');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('main').waitFor();
  });
});

describe('markup', () => {
  it('is shown in every unusual form, and removes nothing else from the screen', async () => {
    const { page, signedIn, problems } = await sharedWindow();
    const items = [...STRANGE_MARKUP, ...HOSTILE_MARKUP].map(html);
    await signedIn(snapshot(message('1', [text('before'), ...items, text('after')])));
    const shown = page.locator('[data-category="html"]');
    await page.getByText('after', { exact: true }).waitFor();
    expect(await shown.count()).toBe(items.length);
    // The items are sanitized in several tasks, the newest first.
    await expect.poll(() => shown.nth(1).textContent(), POLLING).toBe('kept');
    expect(await page.getByText('cannot be shown').count()).toBe(0);
    expect(await shown.filter({ hasText: 'too large' }).allTextContents()).toEqual([]);
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    // The policy blocks scripts of the markup, also while it is parsed.
    expect(problems.filter((words) => !words.includes('Content Security Policy'))).toEqual([]);
  });

  it('contract §5 markup over a limit: is shown only on request when its tree is too large, and the window keeps working', async () => {
    const { page, signedIn, apply, problems } = await sharedWindow();
    const kinds = Object.entries(HUGE_MARKUP);
    const items = kinds.flatMap(([kind, markup]) => [text(kind), html(markup)]);
    await signedIn(snapshot(message('1', items)));
    await expect
      .poll(() => page.locator('[data-category]').allTextContents(), POLLING)
      .toEqual(
        kinds.flatMap(([kind]) => [kind, expect.stringMatching(/^This page is too large to show\./u)]),
      );
    expect(await page.locator('.markup').count()).toBe(0);
    const [, first = ''] = kinds[0] ?? [];
    await source(page).first().click();
    expect(await page.locator('.source').textContent()).toBe(first);
    await apply(appended(message('2', [text('later')])));
    await page.getByRole('article').getByText('later', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('and text that a browser lays out too slowly are shown in part', async () => {
    const { page, signedIn, apply } = await sharedWindow();
    const slow = ['aא'.repeat(90_000), `a${'\u0301'.repeat(190_000)}`];
    const long = `${'name '.repeat(400_000)}x`;
    await signedIn(
      snapshot(
        message('1', [
          ...slow.map(html),
          ...slow.map((words) => html(`<img alt="${words}" src="data:image/png;base64,AA">`)),
        ]),
        message('2', slow.map(text), { context: long }),
        message('3', [
          { category: 'file', text: long, blob: 'YQ==' },
          { category: 'image', text: long, blob: '' },
        ]),
      ),
    );
    await apply(appended(message('4', [text('later')])));
    await page.getByRole('article').getByText('later', { exact: true }).waitFor();
    const lengths = await page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => one.textContent.length));
    expect(Math.max(...lengths)).toBeLessThan(4000);
    await expect.poll(() => page.getByText('This page is too large to show.').count(), POLLING).toBe(4);
  });

  it('over the limit is shown on request, and the view stays at the bottom', async () => {
    const { page, signedIn, apply } = await sharedWindow();
    const table = '<table><tr><td>cell</td></tr></table>';
    const markup = `<p>first</p>${table}${'<p>line</p>'.repeat(HTML_NODES)}<p>last</p>`;
    await signedIn(snapshot(message('1', [html(markup)])));
    await page.getByRole('button', { name: 'Show all' }).press('Enter');
    await page.getByText('last', { exact: true }).waitFor();
    expect(await page.locator('.markup p').count()).toBe(HTML_NODES + 2);
    expect(await page.locator('.markup .table > table').count()).toBe(1);
    expect(await page.locator('.markup').getAttribute('dir')).toBe('auto');
    expect(await page.locator('.markup p:not([dir="auto"])').count()).toBe(0);
    const aboveBottom = () =>
      page
        .getByRole('log')
        .evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));
    await expect.poll(aboveBottom).toBe(0);
    await apply(snapshot(message('1', [html('<p>another</p>')])));
    await page.getByText('another', { exact: true }).waitFor();
  });

  it('wraps the cells of tables between words only, and scrolls wide tables and long lines of code in themselves', async () => {
    const { page, signedIn, apply } = await sharedWindow();
    const wide = `<table><tr>${'<td>Configurationdirectory of them</td>'.repeat(8)}</tr></table>`;
    const code = `<p><code>inline</code></p><pre><code>${'word '.repeat(80)}</code></pre>`;
    const narrow = '<table><tr><td>narrow</td></tr></table><pre>short</pre>';
    await signedIn(snapshot(message('1', [html(`${wide}${code}${narrow}`)])));
    const scrollers = page.getByRole('article').getByRole('group');
    const described = () =>
      scrollers.evaluateAll((all) =>
        all.map((one) => [one.ariaLabel, one.tabIndex, one.scrollWidth > one.clientWidth]),
      );
    await expect.poll(described).toEqual([
      ['Table', 0, true],
      ['Code', 0, true],
    ]);
    const linesOfWord = await page
      .locator('td')
      .first()
      .evaluate((cell) => {
        const word = document.createRange();
        word.setStart(cell.firstChild ?? cell, 0);
        word.setEnd(cell.firstChild ?? cell, 'Configurationdirectory'.length);
        return word.getClientRects().length;
      });
    expect(linesOfWord).toBe(1);
    expect(await page.locator('.markup').evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const sizes = await page
      .locator('code')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
    expect(new Set(sizes).size).toBe(1);
    for (const index of [0, 1]) {
      await scrollers.nth(index).press('ArrowRight');
      await expect.poll(() => scrollers.nth(index).evaluate((one) => one.scrollLeft)).toBeGreaterThan(0);
    }
    const scrolled = () => scrollers.evaluateAll((all) => all.map((one) => one.scrollLeft));
    // Chromium scrolls by 40 pixels, in several frames.
    await expect.poll(scrolled).toEqual([40, 40]);
    await apply(snapshot(message('1', [html(`${wide}${code}${narrow}<p>More</p>`)])));
    await page.getByText('More', { exact: true }).waitFor();
    await expect.poll(scrolled).toEqual([40, 40]);
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  });

  it('shows code with its language, colours, and a button that copies exactly the code', async () => {
    const { page, signedIn } = await sharedWindow();
    const code = 'const a: number = 1;\n// "b" </b>\n\n  return `${a}`;\n';
    const escaped = code.replaceAll('<', '&lt;');
    const block = html(
      `<p>Before</p><pre><code class="x language-TS">${escaped}</code></pre><pre>plain</pre>`,
    );
    await signedIn(
      snapshot(
        message('1', [block]),
        message('2', [block], { modifier: 'client' }),
        message('3', [block], { modifier: 'admin' }),
      ),
    );
    await expect
      .poll(() => page.locator('.code-keyword').allTextContents())
      .toEqual(['const', 'return', 'const', 'return', 'const', 'return']);
    const article = page.getByRole('article').first();
    expect(await article.locator('pre').allTextContents()).toEqual([code, 'plain']);
    const selected = await article.locator('.item').evaluate((one) => {
      getSelection()?.selectAllChildren(one);
      return String(getSelection());
    });
    expect(selected).toBe(`Before\n\n${code}plain`);
    await page.evaluate(() => {
      const copied: string[] = [];
      Object.assign(window, { copied });
      navigator.clipboard.writeText = async (words) => void copied.push(words);
    });
    const buttons = article.getByRole('button', { name: 'Copy', exact: true });
    await buttons.first().press('Enter');
    await article.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate((): unknown => Reflect.get(window, 'copied'))).toEqual([code]);
    const label = article.locator('.code-label');
    expect(await label.evaluate((one) => getComputedStyle(one, '::before').content)).toBe('"TypeScript"');
  });

  it('contract §5 markup over a limit: shows cells that cover too many rows and columns as single ones, and lowers large sizes', async () => {
    const { page, signedIn } = await sharedWindow();
    const pages = [
      tableOf(150, '<td rowspan=65534 colspan=1000>a'),
      tableOf(400, '<th rowspan=0>a'),
      tableOf(1, '<td colspan=1000>a'.repeat(60)) + tableOf(500, '<td colspan=90>a'),
      `<table><tr>${'<td colspan=100>a'.repeat(20)}</tr>${'<tr><td>a</tr>'.repeat(800)}</table>`,
      tableOf(30, '<td colspan=7>a</td></tr><tr><td rowspan=2>b<td>c</tr><tr><td>d'),
      '<table height=99999999 width=99999999><tr><td height=2001 width="100%">a<td height=50>b</table>',
      `<ol>${`<li>${tableOf(90, '<td rowspan=90 colspan=1000>a')}`.repeat(40)}</ol>`,
    ];
    await signedIn(snapshot(message('1', pages.map(html))));
    const showAll = page.getByRole('button', { name: 'Show all' });
    await showAll.press('Enter');
    await showAll.waitFor({ state: 'detached' });
    await page.locator('.markup[aria-busy="false"]').waitFor();
    const attributes = await page.locator('.markup').evaluateAll((all) =>
      all.map((one) => {
        const cells = Array.from(one.querySelectorAll('table, td, th'));
        return ['colspan', 'rowspan', 'width', 'height'].map((name) =>
          Array.from(new Set(cells.flatMap((cell) => cell.getAttribute(name) ?? []))),
        );
      }),
    );
    const none = [[], [], [], []];
    expect(attributes).toEqual([
      none,
      none,
      none,
      none,
      [['7'], ['2'], [], []],
      [[], [], ['10000', '100%'], ['2000', '50']],
      none,
    ]);
  });

  it('at each limit is shown at once: nodes, depth and length', async () => {
    const { page, signedIn } = await sharedWindow();
    const pages = [
      `${'<br>'.repeat(HTML_NODES - 1)}x`,
      nested(HTML_DEPTH),
      `x${' '.repeat(HTML_LENGTH - 1)}`,
      `${'<br>'.repeat(HTML_NODES)}x`,
      nested(HTML_DEPTH + 1),
      `x${' '.repeat(HTML_LENGTH)}`,
    ];
    await signedIn(snapshot(message('1', pages.map(html))));
    const items = page.locator('[data-category="html"]');
    await expect
      .poll(async () => (await items.allTextContents()).map((words) => words.trim().slice(0, 9)))
      .toEqual(['x', 'x', 'x', 'This page', 'This page', 'This page']);
  });

  it('at the limit in many items is shown one by one: the newest text appears before all of them', async () => {
    const { page, signedIn, problems } = await sharedWindow();
    const large = '<i>x</i>'.repeat(HTML_NODES / 2 - 10);
    const items = Array.from({ length: 10 }, (_, index) => html(`<h2>page ${index}</h2>${large}`));
    await page.evaluate(() => {
      Object.assign(window, { first: null });
      new MutationObserver(() => {
        const count = document.querySelectorAll('.markup h2').length;
        if (count > 0 && Reflect.get(window, 'first') === null) Object.assign(window, { first: count });
      }).observe(document.body, { childList: true, subtree: true });
    });
    await signedIn(snapshot(message('1', [...items, text('the newest')])));
    await expect.poll(() => page.locator('.markup h2').count(), POLLING).toBe(10);
    const first = await page.evaluate((): unknown => Reflect.get(window, 'first'));
    expect(first).toBeLessThan(6);
    expect(problems).toEqual([]);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\uD800',
    '\uDFFFa',
    '\0',
    '\u202Eabc.exe',
    '__proto__',
    '%',
    '%zz',
    'x'.repeat(30_000),
    ' '.repeat(30_000),
  ),
);
const anyBlob = fc.oneof(
  anyText,
  fc.constantFrom(
    'YQ==',
    '=',
    '====',
    'iVBORw0KGgo',
    '/9j/AAAA',
    'R0lGODdh',
    'UklGRgAAAABXRUJQ',
    'GkXfo0AA',
    'SUQz',
    'T2dnU',
  ),
  fc.base64String({ maxLength: 40 }),
);
const anyMarkup = fc.oneof(
  anyText,
  fc.constantFrom(...STRANGE_MARKUP, ...HOSTILE_MARKUP),
  fc
    .array(
      fc.constantFrom(
        '<b>',
        '<p>',
        '</p>',
        '<table>',
        '<td>',
        '<svg>',
        '<math>',
        '<select>',
        '<template>',
        '</template>',
        '<form>',
        '</a>',
        '<a href=x>',
        '<frameset>',
        'x',
        '<!--',
        '-->',
        '<style>',
        '</style>',
        '<img name=body>',
      ),
    )
    .map((tags) => tags.join('')),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 8 });
const anyItem = fc.record(
  {
    category: fc.oneof(fc.constantFrom('text', 'audio', 'html', 'image', 'file'), anyText),
    text: orNull(anyText),
    html: orNull(anyMarkup),
    blob: orNull(anyBlob),
  },
  { requiredKeys: [] },
);
const anyMessage = fc.record(
  {
    id: anyText,
    modifier: fc.oneof(fc.constantFrom('ai', 'client', 'admin'), anyText),
    content: fc.array(anyItem, { maxLength: 5 }),
    context: anyText,
    avatar: anyBlob,
    seen: fc.boolean(),
  },
  { requiredKeys: ['modifier'] },
);

describe('any valid message', () => {
  it('is shown, and removes nothing else from the screen', async () => {
    const { page, signedIn, apply, problems } = await sharedWindow();
    const frames = fc.sample(anyMessage, { seed: SEED, numRuns: 180 });
    await signedIn(snapshot(message('first', [text('the first')])));
    await apply(
      ...frames.map(updateOf),
      ...fc.sample(anyText, { seed: SEED, numRuns: 10 }).map((name) => updateOf({ name })),
    );
    await expect.poll(() => page.getByRole('article').count(), POLLING).toBe(frames.length + 1);
    await page.getByRole('article').getByText('the first', { exact: true }).waitFor();
    expect(await page.getByText('cannot be shown').allTextContents()).toEqual([]);
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    const ours = /Content Security Policy|Failed to load resource|net::ERR/u;
    expect(problems.filter((words) => !ours.test(words))).toEqual([]);
  });
});
