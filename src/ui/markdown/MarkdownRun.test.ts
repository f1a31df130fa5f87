import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type Format, formatOf } from '#shared/conversation/markdownRuns.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { FoundContext } from '../base/itemCommands.ts';
import { loadHighlighter } from '../code/decorateCode.ts';
import { drawnStates } from '../testing/drawnStates.ts';
import { StaticMarkdown } from './Markdown.tsx';
import { MarkdownRun } from './MarkdownRun.tsx';
import { createMarkdownReader } from './markdownText.ts';
import { loadMath, subscribeMath } from './math.ts';
import { RICH_ANSWER } from './testing/richAnswer.ts';
import { setImmediate } from 'node:timers/promises';

const mathIsLoaded = vi.fn<() => void>();
beforeAll(() => {
  subscribeMath(mathIsLoaded);
  subscribeMath(() => mathIsLoaded())();
  return Promise.all([loadMath(), loadHighlighter()]);
});

// One task draws only a part of long answers.
beforeEach(() => setImmediate());

const itemOf = (text: string, format: Format = 'markdown') => ({ category: 'text', text, format });

function draw(items: readonly ContentItem[], isGrowing = false, item = -1): string {
  const content = vectorOf(items);
  const format = formatOf(items[0] ?? {}) ?? 'markdown';
  const run = { format, first: 0, end: items.filter((one) => one.format === format).length };
  const drawn = createElement(MarkdownRun, { run, content, message: 3, isGrowing });
  return renderToStaticMarkup(createElement(FoundContext, { value: { message: 3, item, start: 0 } }, drawn));
}

const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const SVG = 'data:image/svg+xml;base64,PHN2Zy8+';
const TABLE = '| a | b | c |\n|---|:-:|--:|\n| 1 | 2 | 3 |';
const ENDLESS = `\\newcommand{\\a}{x}${'\\a '.repeat(21)}`.trim();
const UNSAFE = String.raw`\href{javascript:1}{x} \includegraphics{https://example.org/x.png} \htmlId{a}{b} \url{javascript:1}`;

test('contract §9 elements: draws the blocks and the lines of an answer, and its formulas as soon as they can be drawn', async () => {
  expect(mathIsLoaded).toHaveBeenCalledOnce();
  const states: [title: string, source: string | ContentItem[], isGrowing?: boolean][] = [
    ['ranks of headings have no gaps', '# A\n\n### B\n# C\n## D\n### E\n#### F\n##### G\n###### H'],
    ['a list from 3 on', '3. a\n4. b'],
    ['tasks have named boxes that nobody can change', '- [X] a\n- [ ] b'],
    ['a table with aligned columns', TABLE],
    ['a column on the left, and rows of another length', '| a | b |\n|:--|---|\n| 1 |\n| 2 | 3 | 4 |'],
    ['no task without a space', '- [x]a\n- [ ]\n- [X] b\n- [y] c'],
    ['blocks within blocks', '> # a\n>\n> - b\n>   1. c\n>\n>   d\n\n---\n\n1) e'],
    ['code', '```ts\nconst a = "<b>";\n```'],
    ['code of any kind', '```  JS{1}\na\n```\n\n~~~c++ x\nb\n\n~~~\n\n    $$c$$\n\n```rs,d\nd'],
    ['formulas in brackets', 'a\n\\[\nx\n\\]\n\n> \\(y\\) and \\[z\\]\n$$x$$\n\n$$x$$ y\n\n$$$$'],
    ['paragraphs of a footnote', '[^A] [d]\n\n[^a]: b\n\n    c\n\n    [d]: /d\n\n> [e]: /e\n[^b]: c\n\n[e]'],
    ['a formula has its source, and names of functions', '$$\n\\cos x + \\operatorname{tr} y\n$$'],
    ['what is over a limit is as it is written', `a${'\u0301'.repeat(101)}\n\n${'- '.repeat(40)}a`],
    ['HTML is text', '<b id="x">raw</b>\n<i>'],
    ['a footnote has named links to it', 'a[^x] b[^x]\n\n[^x]: *c*'],
    ['emphasis and code', '***a*** ~~b~~ `c`'],
    ['a link opens outside, with its address as tooltip', '[a *b*](https://a.org/a "t") <mailto:a@b.org>'],
    ['other schemes', '[a](javascript:a()) [b](data:,x) [c](/d) [e](file:///e) [f]() [g](http://)'],
    ['a link is in place of an image from elsewhere', '![a](https://a.org/a) ![](https://a.org/b)'],
    ['an image is its own only', `![a](${GIF}) ![b](${SVG})`],
    ['a formula that is too long is its source', `$$\n${'x+'.repeat(1001)}\n$$`],
    ['one that is too deep', `$$\n${'x^{'.repeat(200)}x${'}'.repeat(200)}\n$$`],
    ['one that uses a macro too often', `$$\n${ENDLESS}\n$$`],
    ['one that defines a macro with a parameter', '$$\n\\def\\a#1{#1}\\a x\n$$\n\n$\\def\\a#1{}$'],
    ['one that defines a macro by itself', '$$\n\\def\\a{\\a\\a}\\a\n$$'],
    ['a formula may define a macro', String.raw`$\newcommand{\F}{\mathbb{F}} x \in \F$`],
    ['a space of a formula has its width', String.raw`$a\quad b\,c\#$`],
    ['a formula has no links, images and ids', `$${UNSAFE}$`],
    ['formulas are in their line, or in lines of their own', '$x$ $$x$$ $x$'],
    ['the cells of a formula are as their columns say', String.raw`$\begin{array}{rcl}a&b&c&d\end{array}$`],
    ['a formula that grows is its source', '$$\na', true],
    ['three dots are in place of an empty answer that grows', '', true],
    ['only one of two empty items has them', [itemOf(''), itemOf(' ')], true],
    ['another item is in place of an empty answer', [itemOf(''), { category: 'text', text: 'a' }]],
    ['an answer is one card with all of its items', [itemOf('a **b'), itemOf(' c**\n\nd\n\n'), itemOf('e')]],
    ['reasoning is closed, under its summary', [itemOf('Hm, *wait*.', 'reasoning')]],
  ];
  const drawn: [string, string][] = [];
  for (const [title, source, isGrowing] of states) {
    await setImmediate();
    drawn.push([title, draw(typeof source === 'string' ? [itemOf(source)] : source, isGrowing)]);
  }
  await expect(drawnStates(drawn)).toMatchFileSnapshot('testing/answer.txt');
});

test('a very long list is drawn as several, which continue its numbers, and a very long item up to a length, until a hit is in it', () => {
  const drawn = draw([itemOf(Array.from({ length: 120 }, (_, at) => `${at}. a`).join('\n'))]);
  expect(drawn.match(/(?<=<ol dir="auto" class="group" start=")\d+/gu)).toEqual(['0', '50', '100']);
  expect(drawn.split('<li ')).toHaveLength(121);
  expect(draw([itemOf('- a\n'.repeat(101))]).split('<ul dir="auto" class="group"><li ')).toHaveLength(4);
  expect(draw([itemOf('- a\n'.repeat(100))])).not.toContain('group');
  expect(draw([itemOf(TABLE + '\n| 4 |'.repeat(50))]).split('<tbody>')).toHaveLength(3);
  const long = itemOf(`${'word '.repeat(1000)}\n\n`.repeat(5));
  const parts = [-1, 0, 1].map((hit) =>
    draw([long, long], false, hit).replaceAll(/<(p)|(all)|[^]/gu, '$1$2'),
  );
  expect(parts).toEqual(['ppppallppppall', 'pppppppppall', 'ppppallppppp']);
});

test('an answer outside of a window has no buttons, and no source of its formulas', async () => {
  const drawn = renderToStaticMarkup(createElement(StaticMarkdown, { source: RICH_ANSWER }));
  await expect(drawnStates([], drawn)).toMatchFileSnapshot('testing/static.txt');
});

/** What stands in markup for a character. */
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

test('what is not complete is drawn as it is read, at any moment of a rich answer', async () => {
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
