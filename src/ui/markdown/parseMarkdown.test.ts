import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { markdownRuns } from '#shared/conversation/markdownRuns.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { HTML_NODES } from '#shared/limits.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { markdownIt } from './markdownIt.ts';
import { createMarkdownReader } from './markdownText.ts';
import { parseInline } from './parseInline.ts';
import { type Parsed, type TopBlock, parseMarkdown } from './parseMarkdown.ts';
import { runTexts } from './runTexts.ts';
import { type Block, NO_DEFINITIONS, blocksIn, type Inline } from './syntax.ts';
import { RICH_ANSWER } from './testing/richAnswer.ts';

const blocksOf = (source: string, isGrowing = false) =>
  parseMarkdown(source, { isGrowing }).blocks.map(({ block }) => block);

/** Parses a source that arrives in parts of a length; returns each version. */
function versionsOf(source: string, length: number, isGrowing = true): readonly Parsed[] {
  const versions: Parsed[] = [];
  for (let end = length; end < source.length + length; end += length)
    versions.push(parseMarkdown(source.slice(0, end), { before: versions.at(-1), isGrowing }));
  return versions;
}

const plain = ({ blocks }: Parsed) =>
  blocks.map(({ block, start, definitions: { links, notes } }) => [block, start, [...links], [...notes]]);

const textsOf = (source: string, read = createMarkdownReader()): readonly string[] =>
  Array.from(read(source, true), ({ text }) => text);

const markdownText = (source: string): string =>
  Array.from(createMarkdownReader()(source, false), ({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');

test('a source that grows is read as if it were new, at each moment and after any change, for any blocks in parts of any length, as is its text', () => {
  const code = '```\n```¦```ts\na\n```¦~~~\n\n~~~¦```¦    code¦$$\nx\n$$¦$$';
  const others =
    '- a\n- b¦- a\n\n  b¦1. a¦2. a¦> q¦| a | b |\n|---|---|\n| [a] |¦| a |\n|:-:|¦| a |¦$$¦# h¦## h¦---¦words *em*¦';
  const tasks = '- [ ] [a]¦- [x] [a]¦[a]: /3\n"t\nu"¦> [a]¦[^1]: [a]';
  const blocks = `${code}¦${others}¦${tasks}¦[a]: /1¦[a]: /2¦[a]¦[^1]¦[^1]: n¦[^2]: n`.split('¦');
  for (const before of blocks.map((one) => parseMarkdown(one)))
    expect(blocks.map((one) => plain(parseMarkdown(one, { before })))).toEqual(
      blocks.map((one) => plain(parseMarkdown(one))),
    );
  const block = fc.tuple(fc.constantFrom(...blocks), fc.constantFrom('\n', '\n\n'));
  const parts = fc
    .tuple(fc.array(block, { maxLength: 8 }), fc.constantFrom('\n', '\n', '\n', '\r\n'))
    .map(([all, end]) => all.flat().join('').replaceAll('\n', end));
  checkAll(60, [parts, parts, fc.integer({ min: 1, max: 20 })], (source, changed, length) => {
    const read = createMarkdownReader();
    for (const [index, version] of versionsOf(source, length).entries()) {
      const part = source.slice(0, (index + 1) * length);
      expect(plain(version)).toEqual(plain(parseMarkdown(part, { isGrowing: true })));
      textsOf(part, read);
    }
    expect(textsOf(source, read)).toEqual(textsOf(source));
    const before = parseMarkdown(source);
    expect(plain(parseMarkdown(changed, { before }))).toEqual(plain(parseMarkdown(changed)));
    expect(textsOf(changed, read)).toEqual(textsOf(changed));
  });
});

test('a source that grows never changes a block that is followed by two others, for each prefix of a rich answer', () => {
  const end = RICH_ANSWER.indexOf('\n---\n');
  let before: readonly TopBlock[] = [];
  for (const { blocks } of versionsOf(RICH_ANSWER.slice(0, end), 1)) {
    for (const [index, one] of before.slice(0, -2).entries()) expect(blocks[index]).toBe(one);
    before = blocks;
  }
});

test.each([
  ['a table', { start: '| a | b |\n|---|---|\n', line: '| some | words |\n', blocks: 1 }],
  ['a list', { start: '', line: '- some words\n', blocks: 1 }],
  ['code', { start: '```ts\n', line: 'const a = 1;\n', blocks: 1 }],
  ['paragraphs', { start: '[^a]: x\n\na\n\nb\n\n[^b]: y\n\n[^b]\n\n', line: 'words\n\n', blocks: 205 }],
])('of %s that grows, only the last lines are read', (_, { start, line, blocks }) => {
  const source = start + line.repeat(200);
  const versions = versionsOf(source, line.length);
  expect(Math.max(...versions.map(({ linesRead }) => linesRead))).toBeLessThanOrEqual(8);
  expect(versions.at(-1)?.blocks).toHaveLength(blocks);
  expect(versions.slice(-1).map(plain)).toEqual([plain(parseMarkdown(source))]);
});

test('completes the unfinished end of a source, or holds it back until it says what it is', async () => {
  const ends =
    'some **bold¦some **bold wo*¦a *b **c¦a ~~b¦a ~~b *c [d](e¦a *b `c*¦a `b`¦a `¦a ``b`c¦a [b](https://exa¦a ![b](c¦' +
    'a \\¦2 * 3¦a_b¦# a *b¦> a *b¦- [ ] a *b¦[^1]: a *b¦$$\na *b¦```\na *b¦    a *b¦a\n    *b¦| a | *b¦| a | *b* |\n¦' +
    '| a | *b* |\n|---|:¦| a |\n|:-:¦| a |\n|---|\n| *b¦a\n| b¦```ts\na\n¦```ts\na\n``¦```ty¦~~~ty\n¦> ```ty¦- a\n- ¦' +
    `- $$\n  a\n\n  b\n  $$¦${'*a '.repeat(6)}¦${'*a '.repeat(7)}¦${'a'.repeat(4001)} *b¦a\n${'-'.repeat(1001)}¦${'a'.repeat(1001)}\n-¦| a |\n|---|\n| *b |\n| *c¦| a \\| *b¦| a \\|¦a\r\n**b¦> a\n>\n> - *b¦1) a\n2) \`b`;
  const undecided = '-¦+ ¦1.¦1. ¦#¦``¦>¦> -¦|¦$¦==¦[¦[1]¦[1]: htt¦[^1]: a¦a'
    .split('¦')
    .map((end) => `Some text\n${end}`);
  const lines = [...ends.split('¦'), ...undecided].map((source) =>
    [source, ...blocksOf(source, true)].map((one) => JSON.stringify(one)).join(' '),
  );
  const readable = lines.join('\n').replaceAll(/(.)\1{99,}/gu, '$1…');
  await expect(`${readable}\n`).toMatchFileSnapshot('testing/growing.txt');
});

/** Returns what is before each block of a source. */
const starts = (source: string) => parseMarkdown(source).blocks.map(({ start }) => source.slice(0, start));

test('a block of a source with carriage returns begins where its line does', () => {
  const expected = starts(RICH_ANSWER).map((before) => before.replaceAll('\n', '\r\n'));
  expect(starts(RICH_ANSWER.replaceAll('\n', '\r\n'))).toEqual(expected);
  expect(starts('a\r\rb\r\n\r\nc\r\rd')).toEqual(['', 'a\r\r', 'a\r\rb\r\n\r\n', 'a\r\rb\r\n\r\nc\r\r']);
});

test('the definitions are those of the whole source, the first one of a label counts, and they change only the blocks that use them', () => {
  const { blocks } = parseMarkdown('[a] [b] [^1]\n\n[a]: /1\n[a]: /2\n\n[^1]: x\n');
  expect(blocks[0]?.definitions).toEqual({ links: new Map([['A', '/1']]), notes: new Map([['1', 1]]) });
  const types = blocksOf('[^1]: a\n\n    b\nc\n\n[^2]: d').map(({ type }) => type);
  expect(types).toEqual(['note', 'paragraph', 'note']);
  const before = parseMarkdown('[a]\n\n[c]\n\nend\n\nx');
  const after = parseMarkdown('[a]\n\n[c]\n\nend\n\nx\n\n[a]: /1\n', { before });
  expect(after.blocks.map((block, at) => +(block === before.blocks[at]))).toEqual([0, 1, 1, 1, 0]);
});

/** Returns the texts of the items of reasoning and of the answer that follows it. */
function runsOf(context: string, reasoning: string, ...answer: readonly string[]) {
  const items = [reasoning, ...answer].map((text) => ({ category: 'text', text, format: 'markdown' }));
  const content = vectorOf(items.with(0, { category: 'text', text: reasoning, format: 'reasoning' }));
  return markdownRuns(content).map((run) => runTexts({ content, context }, run));
}

test('gives each item the text of the blocks that begin in it; only the last run of an answer grows', () => {
  const parts = ['one\n\n---\n\ntwo', ' wo', 'rds\n', '\nthree\n\n', 'four'];
  for (const end of ['\n', '\r\n'])
    expect(runsOf('', 'a', ...parts.map((one) => one.replaceAll('\n', end)))).toEqual([
      ['a'],
      ['one\ntwo words', '', '', 'three', 'four'],
    ]);
  expect(runsOf('Ada is writing…', 'a **b', 'c **d')).toEqual([['a **b'], ['c d']]);
});

const LENGTH = 12_000;
const count = (block: Block): number => 1 + blocksIn(block).reduce((sum, one) => sum + count(one), 0);
const depth = (block: Block): number => 1 + Math.max(0, ...blocksIn(block).map(depth));

const PARTS =
  '*|[|![|`|>|- |<|&|~~a |$|\\[|[a](|[a]: b\n|[^a]: b\n|| |- a\n  |# a\n|---\n|a\u0301|```\n|www.a |a@a.a-';

test.each(PARTS.split('|'))('takes work in proportion to %j, repeated', (part) => {
  const source = (part || '|').repeat(LENGTH / (part.length || 1));
  const skipped = vi.spyOn(markdownIt.inline, 'skipToken');
  const tokenized = vi.spyOn(markdownIt.block, 'tokenize');
  for (const { block } of parseMarkdown(source).blocks) {
    expect(depth(block)).toBeLessThan(100);
    expect(count(block)).toBeLessThanOrEqual(LENGTH);
    if (block.type === 'paragraph') parseInline(block.text, NO_DEFINITIONS);
  }
  expect(skipped.mock.calls.length + tokenized.mock.calls.length).toBeLessThanOrEqual(2 * LENGTH);
  vi.restoreAllMocks();
});

/** Returns a table of 100 columns and some rows, and a paragraph. */
const tableOf = (rows: number) => `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'|b\n'.repeat(rows)}\nend\n\n`;

test('contract §9 limits of an answer: shows blocks within each other over the limit as they are written, and limits the cells of all tables together, also while they grow', () => {
  const deep = Array.from({ length: 100 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n');
  expect(blocksOf(`first\0\n\n${deep}\n`)).toEqual([
    { type: 'paragraph', text: 'first\uFFFD' },
    { type: 'source', text: deep },
  ]);
  // 9,000 cells, then too many, then exactly those that are left.
  const source = [30, 30, 30, 30, 10, 1].map(tableOf).join('');
  const types = blocksOf(source).map(({ type }) => type);
  expect(types.filter((type) => type !== 'paragraph').join(' ')).toBe(
    'table table table source table source',
  );
  expect(versionsOf(source, 60).slice(-1).map(plain)).toEqual([plain(parseMarkdown(source))]);
});

test('the data of a picture are no part of the length of a text, and a text has a limit of a thousand brackets', () => {
  const picture = `*a* ![b](data:image/png;base64,${'A'.repeat(30_000)})`;
  const sources = [picture, '['.repeat(1000), '['.repeat(1001)];
  const parts = sources.map((source) => parseInline(source, NO_DEFINITIONS)?.length);
  expect(parts).toEqual([3, 1, undefined]);
});

test.each([
  ['too many parts', '*a* '.repeat(HTML_NODES)],
  ['emphasis that is too deep', '*a '.repeat(60) + 'b* '.repeat(60)],
  ['too many addresses', 'www.a.org '.repeat(1999)],
  ['too many brackets', '[a '.repeat(2000)],
  ['too many characters', 'some words '.repeat(2000)],
  ['a word that takes a browser long', `a${'\u0301'.repeat(1000)}`],
])('does not parse a text with %s', (_, source) => {
  expect(parseInline(source, NO_DEFINITIONS)).toBeNull();
  expect(markdownText(source)).toBe(source.trim());
});

/** Returns a source in which each link is `[words](address)`. */
const linksIn = (source: string): string => (parseInline(source, NO_DEFINITIONS) ?? []).map(written).join('');

function written(part: Inline): string {
  if (part.type === 'text' || part.type === 'code') return part.text;
  if (part.type === 'math') return `$${part.tex}$`;
  const inner = 'children' in part ? part.children.map(written).join('') : '';
  return part.type === 'link' ? `[${inner}](${part.address})` : inner;
}

/** Identifiers, marks, breaks, references, money, formulas, links and blocks; then addresses, as in GitHub's specification. */
const LINES =
  '__a__ a__b__ __a__.py __a__b __two words__¦<b>x</b> <script>1</script>¦a<br>b<BR/>c<br />d<br  >¦&lt;b&gt; &amp; &eacute;¦' +
  'It costs $5 and $10, or US$5, not a$b$ or 1$b$.¦$a_1$ \\(b\\) $$c$$ \\[d\\]¦\\(\\) $$ $$ $ a$ $b $ \\(c¦\\$a\\$ and $\\$5\\$6$¦' +
  '[a *b*](https://a.org) [a][b] and [^c]¦[__a__<br>$b$ &amp; `c`](https://a.org)¦see https://a.org/b¦> a\n>\n> ![b](data:image/gif;base64,R0lGODlhAQABAAAAACw=)\n>\n> c¦| a | b |\n|-|-|\n| c | d |\n\n- e\n- f¦' +
  'www.commonmark.org¦Visit www.a.org/help for more.¦(www.a.org/?q=(b)))¦www.a.org/?q=a&hl;¦' +
  '**www.a.org** *a@b.org* ~~a@c.org~~¦“www.a.org” xwww.a.org www. www¦www.a._b.c www.a.b._c www._a.b.c¦' +
  'a@b+c.org is not, a+b@c.org is.¦a.b-c_d@a.b- a.b-c_d@a.b_ a@b.c.d-¦mailto:foo@bar.baz/a¦' +
  '[see www.a.org](https://b.org) `www.a.org a@b.org`¦' +
  'HTTPS://A.org/_b_, <http://b.org> ftp://c.org www.a.org/~. "www.b.org" WWW.c.org';

test('shows the text of lines, and finds their links', async () => {
  const lines = LINES.split('¦').map((source) =>
    [source, markdownText(source), linksIn(source), ''].join('\n'),
  );
  await expect(lines.join('\n')).toMatchFileSnapshot('testing/lines.txt');
});
