import { expect, test } from 'vitest';
import { blockHtml } from './itemHtml.ts';

const code = (text: string, attributes = '') => `<pre><code${attributes}>${text}</code></pre>`;

test.each([
  ['```ts\nlet a;\n```', code('let a;\n', ' class="language-ts"')],
  ['~~~ c++ title\na\n~~~~', code('a\n', ' class="language-c++"')],
  ['```\n```', code('')],
  ['```', code('')],
  ['```ts', code('', ' class="language-ts"')],
  ['```js\nlet a;\n``', code('let a;\n``\n', ' class="language-js"')],
  ['  ```\n  a\n    b\n c\n  ```', code('a\n  b\nc\n')],
  ['````\n```\na\n```\n````', code('```\na\n```\n')],
  ['    a\n      b\n\n\tc', code('a\n  b\n\nc\n')],
])('renders the code %j', (source, html) => {
  expect(blockHtml('code', source)).toBe(html);
});

test('renders a list with code, a quote and a table in its items', () => {
  const source = '3. a\n\n   ```sh\n   ls\n   ```\n4. > b\n5. c\n\n   | d |\n   |---|\n   | e |';
  expect(blockHtml('list', source)).toMatchSnapshot();
});

test('keeps the cells of a row that is longer than the header', () => {
  const html = blockHtml('table', '| a |\n|---|\n| b | c | d |');
  expect(html.match(/<td>\w<\/td>/g)).toEqual(['<td>b</td>', '<td>c</td>', '<td>d</td>']);
});

test('renders 10,000 lines of code in one item', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `line(${index});`).join('\n');
  expect(blockHtml('code', `\`\`\`js\n${lines}\n\`\`\``)).toBe(code(`${lines}\n`, ' class="language-js"'));
});
