import { describe, expect, test } from 'vitest';
import { itemsOf, writeAnswer } from './testing/writeAnswer.ts';

const HREF = /href="([^"]*)"/g;

test.each([
  '- [a](javascript:alert(1))',
  '- [a](JaVaScRiPt:alert(1))',
  '- [a](&#106;avascript:alert(1))',
  '- [a](java\tscript:alert(1))',
  '- [a](<javascript:alert(1)>)',
  '- [a](vbscript:x) [b](data:text/html;base64,PHNjcmlwdD4=) [c](file:///etc/passwd) [d](//example.org) [e](/path)',
  '- <javascript:alert(1)>',
  '- ![a](javascript:alert(1)) ![b](data:image/svg+xml;base64,AAAA)',
  '| a |\n|---|\n| [a](javascript:alert(1)) |',
])('links to nothing but http, https and mailto: %j', (source) => {
  const html = itemsOf(writeAnswer([source])).join('\n');
  expect(html).toMatch(/^html: <(?:ul|table)>/);
  expect(Array.from(html.matchAll(HREF))).toEqual([]);
});

test('links an image instead of loading it', () => {
  const [html] = itemsOf(
    writeAnswer(['- ![A map](https://example.org/map.png)\n- ![](http://example.org/b.png)']),
  );
  expect(html).toContain('<a href="https://example.org/map.png">A map</a>');
  expect(html).toContain('<a href="http://example.org/b.png">http://example.org/b.png</a>');
  expect(html).not.toContain('<img');
});

test('shows HTML as text, in prose and in blocks', () => {
  const script = '<script>alert(1)</script><img src=x onerror=alert(1)>';
  const [prose, list, quote, code] = itemsOf(
    writeAnswer([
      `${script}\n\n- a ${script}\n\n> ${script}\n\n\`\`\`html"onload=x\n${script}\n</code></pre>\n\`\`\``,
    ]),
  );
  const escaped = '&#x3C;script>alert(1)&#x3C;/script>&#x3C;img src=x onerror=alert(1)>';
  expect(prose).toBe(`text: ${script}`);
  for (const block of [list, quote, code]) expect(block).toContain(escaped);
  expect(code).toBe(
    `html: <pre><code class="language-html&#x22;onload=x">${escaped}\n&#x3C;/code>&#x3C;/pre>\n</code></pre>`,
  );
});

test.each([
  '__proto__',
  'constructor',
  '[__proto__]: https://example.org',
  '- __proto__\n- [constructor][toString]',
])('treats %j as words', (source) => {
  const text = itemsOf(writeAnswer([source]))
    .join('')
    .replaceAll(/<[^>]*>/g, '');
  for (const word of source.match(/[a-z]{5,}/gi) ?? []) expect(text).toContain(word);
});

const COUNT = 10_000;

// One that a parser takes quadratic time for takes longer than the test's timeout.
describe('hostile Markdown takes little time', () => {
  test.each([
    ['10,000 quotes within each other', '>'.repeat(COUNT)],
    ['10,000 lists within each other', '- '.repeat(COUNT)],
    ['10,000 numbered lists within each other', '1. '.repeat(COUNT)],
    ['10,000 brackets', '['.repeat(COUNT)],
    ['10,000 brackets in a list', `- ${'['.repeat(COUNT)}`],
    ['10,000 pairs of brackets', '['.repeat(COUNT) + ']'.repeat(COUNT)],
    ['10,000 images in a list', `- ${'![a]('.repeat(COUNT)}`],
    ['10,000 markers of emphasis', '*a _b '.repeat(COUNT)],
    ['10,000 markers of emphasis in a quote', `> ${'_*a'.repeat(COUNT)}`],
    ['10,000 markers in the lines of a list', `- a\n${'  _*a\n'.repeat(COUNT)}`],
    ['10,000 backticks', '`a``b```c'.repeat(COUNT)],
    ['100,000 backticks in a line', '`'.repeat(10 * COUNT)],
    ['100,000 asterisks in a line', '*'.repeat(10 * COUNT)],
    ['100,000 spaces', `a${' '.repeat(10 * COUNT)}b`],
    ['100,000 dashes and pipes', '-|'.repeat(10 * COUNT)],
    ['a header of 10,000 cells', `${'|a'.repeat(COUNT)}|\n${'|-'.repeat(COUNT)}|\n${'|b|\n'.repeat(COUNT)}`],
    ['a header of 400 cells', `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n${'|b|\n'.repeat(COUNT)}`],
    ['a row of 10,000 cells', `|a|b|\n|-|-|\n${'|b'.repeat(COUNT)}|`],
    ['10,000 headings', '# a\n'.repeat(COUNT)],
    ['10,000 breaks', '***\na\n'.repeat(COUNT)],
    ['10,000 unclosed comments', '<!-- '.repeat(COUNT)],
    ['10,000 carriage returns', 'a\r'.repeat(COUNT)],
    [
      'a list that indents each item',
      Array.from({ length: 300 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
    ],
  ])('%s', (_, source) => {
    const parts = source.match(/[^]{1,5000}/g) ?? [];
    expect(writeAnswer(parts).content?.length).toBeGreaterThan(0);
  });

  test('reasoning with 10,000 quotes within each other', () => {
    const answer = writeAnswer([{ kind: 'reasoning', text: '>'.repeat(COUNT) }]);
    expect(itemsOf(answer)[0]).toMatch(/^html: <details><summary>Reasoning<\/summary><pre>/);
  });
});

test('shows a block that is costly to parse as it is written', () => {
  const source = `- ${'>'.repeat(COUNT)} the end`;
  expect(itemsOf(writeAnswer([source]))).toEqual([
    `html: <pre><code>- ${'>'.repeat(COUNT)} the end\n</code></pre>`,
  ]);
});
