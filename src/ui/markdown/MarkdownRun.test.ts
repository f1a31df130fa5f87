import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type Format, formatOf } from '#shared/conversation/markdownRuns.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { loadHighlighter } from '../code/decorateCode.ts';
import { MarkdownRun } from './MarkdownRun.tsx';
import { createMarkdownReader } from './markdownText.ts';
import { loadMath } from './math.ts';
import { RICH_ANSWER } from './testing/richAnswer.ts';
import { setImmediate } from 'node:timers/promises';

beforeAll(() => Promise.all([loadMath(), loadHighlighter()]));

// One task draws only a part of long answers.
beforeEach(() => setImmediate());

const itemOf = (text: string, format: Format = 'markdown') => ({ category: 'text', text, format });

function draw(items: readonly ContentItem[], isGrowing = false): string {
  const content = vectorOf(items);
  const format = formatOf(items[0] ?? {}) ?? 'markdown';
  const run = { format, first: 0, end: items.filter((item) => item.format === format).length };
  return renderToStaticMarkup(createElement(MarkdownRun, { run, content, message: 3, isGrowing }));
}

const CARD = /^<div class="answer"><div class="item" [^>]+>(.*)<\/div><\/div>$/su;

/** Returns the markup of the blocks of an answer of one item, without the direction of their texts, which is that of each text. */
const blocks = (source: string, isGrowing = false): string =>
  (CARD.exec(draw([itemOf(source)], isGrowing))?.[1] ?? '').replaceAll(' dir="auto"', '');

const link = (address: string, words = address) =>
  `<a href="${address}" title="${address}" target="_blank" rel="noopener noreferrer">${words}</a>`;
const words = (title: string, shown: string) => `<span title="${title}">${shown}</span>`;
const copyButton = '<button type="button" class="code-copy" data-label="Copy" aria-label="Copy"></button>';
const noteLink = '<a href="#message-3-0-note-1" aria-label="Footnote 1">1</a>';
const formulaSource = (tex: string) =>
  `<span class="formula formula-source"><code dir="ltr">${tex}</code></span>`;
const source = (tex: string) => `<span class="math-source" aria-hidden="true">${tex}</span>`;

/** What stands in markup for a character. */
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

const BLOCKS = [
  // Headings are below the heading of the window, without gaps between their ranks.
  ['# A\n\n### B', '<h2 class="heading" data-level="1">A</h2>', '<h3 class="heading" data-level="3">B</h3>'],
  [
    '# C\n\n3. a\n4. b',
    '<h2 class="heading" data-level="1">C</h2>',
    '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>',
  ],
  // Tasks have named boxes that nobody can change.
  [
    '- [X] a\n- [ ] b',
    '<ul><li class="task"><input type="checkbox" disabled="" aria-label="Done" checked=""/><p>a</p></li>',
    '<li class="task"><input type="checkbox" disabled="" aria-label="Not done"/><p>b</p></li></ul>',
  ],
  [
    '| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |',
    '<div class="table"><table><thead><tr><th scope="col">a</th><th scope="col" data-align="center">b</th>',
    '<th scope="col" data-align="right">c</th></tr></thead><tbody><tr><td>1</td><td data-align="center">2</td>',
    '<td data-align="right">3</td></tr></tbody></table></div>',
  ],
  [
    '```ts\nconst a = "<b>";\n```',
    '<div class="code" dir="ltr"><div class="code-bar"><span class="code-label" data-label="TypeScript"></span>',
    `${copyButton}</div><pre><code><span class="code-piece"><span class="code-keyword">const</span> a = `,
    '<span class="code-string">&quot;&lt;b&gt;&quot;</span>;</span></code></pre></div>',
  ],
  // A formula has its source, and no names of functions as products.
  [
    '$$\n\\cos x + \\operatorname{tr} y\n$$',
    '<span class="formula"><span class="math"><math display="block"><semantics><mrow><mi>cos</mi><mo>\u2061</mo><mi>x</mi>',
    '<mo>+</mo><mi mathvariant="normal">tr</mi><mo>\u2061</mo><mi>y</mi></mrow></semantics></math>',
    `${source('\\cos x + \\operatorname{tr} y')}</span></span>`,
  ],
  ['<b id="x">raw</b>\n<i>', '<p>&lt;b id=&quot;x&quot;&gt;raw&lt;/b&gt;<br/>&lt;i&gt;</p>'],
  // A footnote has named links to it.
  [
    'a[^x] b[^x]\n\n[^x]: *c*',
    `<p>a<sup>${noteLink}</sup> b<sup>${noteLink}</sup></p>`,
    '<div class="footnote" role="note" aria-label="Footnote 1" id="message-3-0-note-1" tabindex="-1" data-number="1">',
    '<p><em>c</em></p></div>',
  ],
];

test('contract §9 elements: draws the blocks of an answer', () => {
  const expected = BLOCKS.flatMap(([, ...markup]) => markup).join('');
  expect(blocks(BLOCKS.map(([text]) => text).join('\n\n'))).toBe(expected);
});

const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const SVG = 'data:image/svg+xml;base64,PHN2Zy8+';

test.each([
  ['emphasis and code', '***a*** ~~b~~ `c`', '<em><strong>a</strong></em> <del>b</del> <code>c</code>'],
  [
    'a link that opens outside of the window, with its address as the tooltip',
    '[a *b*](https://example.org/a "title") <mailto:ada@example.org>',
    `${link('https://example.org/a', 'a <em>b</em>')} ${link('mailto:ada@example.org')}`,
  ],
  [
    'only words in place of a link with another scheme',
    '[a](javascript:a()) [b](data:,x) [c](/d) [e](file:///e)',
    `${words('javascript:a()', 'a')} ${words('data:,x', 'b')} ${words('/d', 'c')} ${words('file:///e', 'e')}`,
  ],
  [
    'a link in place of an image from elsewhere',
    '![a](https://a.org/a) ![](https://a.org/b)',
    `${link('https://a.org/a', 'a')} ${link('https://a.org/b')}`,
  ],
  ['an image of its own only', `![a](${GIF}) ![b](${SVG})`, `<img src="${GIF}" alt="a"/> ${words(SVG, 'b')}`],
])('a line has %s', (_, text, markup) => expect(blocks(text)).toBe(`<p>${markup}</p>`));

describe('a formula', () => {
  test.each([
    ['that is too long', 'x+'.repeat(1001)],
    ['that is too deep', `${'x^{'.repeat(200)}x${'}'.repeat(200)}`],
    ['that uses a macro too often', `\\newcommand{\\a}{x}${'\\a '.repeat(21)}`.trim()],
    ['that defines a macro with a parameter', String.raw`\def\a#1{#1}\a x`],
    ['that defines a macro by itself', String.raw`\def\a{\a\a}\a`],
  ])('%s is shown as its source', (_, tex) => expect(blocks(`$$\n${tex}\n$$`)).toBe(formulaSource(tex)));

  test('may define a macro, and has no links, images and ids', () => {
    const macro = blocks(String.raw`$\newcommand{\F}{\mathbb{F}} x \in \F$`);
    expect(macro).toContain('<mi mathvariant="double-struck">F</mi>');
    const tex = String.raw`\href{javascript:1}{x} \includegraphics{https://example.org/x.png} \htmlId{a}{b} \url{javascript:1}`;
    expect(blocks(`$${tex}$`)).not.toMatch(/<(?:a|img)|href=|src=| id=/u);
  });

  test('is in its line, or in lines of its own, with its cells as their columns say', () => {
    const drawn = blocks(String.raw`$x$ $$x$$ $x$ $\begin{array}{l}a&b\end{array}$`);
    const left = ' style="text-align:left;padding-left:0"';
    expect(drawn.match(/(?<=<(?:math|mtd))[^>]*/gu)).toEqual(['', ' display="block"', '', '', left, left]);
  });
});

test('a very long list is drawn as several, which continue its numbers', () => {
  const drawn = blocks(Array.from({ length: 120 }, (_, at) => `${at}. a`).join('\n'));
  expect(drawn.match(/(?<=<ol class="group" start=")\d+/gu)).toEqual(['0', '50', '100']);
  expect(drawn.split('<li>')).toHaveLength(121);
});

describe('what is not complete', () => {
  test('is drawn as it is read, at any moment of a rich answer', async () => {
    const read = createMarkdownReader();
    for (let end = 1; end < RICH_ANSWER.length; end += 61) {
      await setImmediate();
      const answer = RICH_ANSWER.slice(0, end);
      const drawn = draw([itemOf(answer)], true)
        .replaceAll(/<math.*?<\/math>|<[^>]*>/gsu, '')
        .replaceAll(/&(amp|lt|gt|quot|#x27);/gu, (_, name: string) => CHARACTERS[name] ?? '');
      const texts = Array.from(read(answer, true), ({ text }) => text);
      expect(drawn.replaceAll(/\s/gu, '')).toBe(texts.join('').replaceAll(/\s/gu, ''));
    }
  });

  test('shows a formula as its source while it grows', () =>
    expect(blocks('$$\na', true)).toBe(formulaSource('a')));

  test('shows three dots in place of an empty answer, unless another item follows it', () => {
    expect(blocks('', true)).toBe('<p class="item-text">...</p>');
    expect(draw([itemOf(''), itemOf(' ')], true).split('...')).toHaveLength(2);
    const drawn = draw([itemOf(''), { category: 'text', text: 'a' }]);
    expect(drawn).toMatch(/^<div hidden=""><div class="item" [^>]+ data-position="first">/u);
  });
});

test('an answer is one card with all of its items, and reasoning is closed, under its summary', () => {
  const ITEM = '<div class="item" data-category="text" data-kind="text" data-format="markdown"';
  const item = (position: string, shown: string) =>
    `${ITEM} data-position="${position}"><p dir="auto">${shown}</p></div>`;
  const items = `${item('first', 'a <strong>b c</strong>')}${item('last', 'd')}`;
  expect(draw([itemOf('a **b'), itemOf(' c**\n\nd')])).toBe(`<div class="answer">${items}</div>`);
  expect(draw([itemOf('Hm, *wait*.', 'reasoning')])).toMatch(
    /^<details class="answer reasoning"><summary>Reasoning<\/summary><div [^>]+><p dir="auto">Hm, <em>wait<\/em>\.<\/p><\/div><\/details>$/u,
  );
});
