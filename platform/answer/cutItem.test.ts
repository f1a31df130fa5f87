import { expect, test } from 'vitest';
import { cutItem } from './cutItem.ts';

const words = (length: number) => 'word '.repeat(length / 5);
const cut = (text: string, sent: number, fence = '') => {
  const end = cutItem(text, { sent, fence });
  return [text.slice(0, end.at).slice(-12), end.fence];
};

test('contract §9 cut: ends an item at the last end of a block, up to 4,000 characters', () => {
  const text = `${words(1990)}one.\n\ntwo.\n\nthree\n${words(3000)}\n\n`;
  expect(cut(text, 1990)).toEqual(['one.\n\ntwo.\n\n', '']);
  expect(cut(`${words(1990)}end.\n \nnext`, 1990)).toEqual(['word end.\n \n', '']);
});

test('contract §9 cut: never ends an item before what was sent', () => {
  const text = `one.\n\n${words(2000)}`;
  expect(cutItem(text, { sent: 1995, fence: '' }).at).toBe(1995);
  expect(cutItem(`${words(1995)}\n\nmore`, { sent: 1997, fence: '' }).at).toBe(1997);
});

test.each([
  { what: 'backticks', open: '```ts\n', close: '```\n', fence: '```' },
  { what: 'tildes', open: '~~~\n', close: '~~~\n', fence: '~~~' },
  { what: 'more backticks within it', open: '````md\n```\n', close: '````\n', fence: '````' },
  { what: 'an indented fence', open: '  - a\n    ```\n', close: '    ```\n', fence: '```' },
])(
  'contract §9 cut: ends no item at an empty line in code, but at the end of a line: $what',
  ({ open, close, fence }) => {
    const code = `${open}${'let a;\n\n'.repeat(250)}`;
    expect(cutItem(`${code}let b`, { sent: code.length - 20, fence: '' })).toEqual({
      at: code.length,
      fence,
    });
    const closed = `let a;\n\n${close}\nnext`;
    expect(cutItem(closed, { sent: 2, fence })).toEqual({ at: closed.length - 4, fence: '' });
  },
);

test('reads a line with backticks in a sentence as no fence', () => {
  expect(cutItem('```js``` is code\n\nnext', { sent: 0, fence: '' })).toEqual({ at: 18, fence: '' });
});

test('contract §9 cut: ends an item without line ends between two characters', () => {
  expect(cutItem('x'.repeat(2010), { sent: 1990, fence: '' }).at).toBe(1990);
  expect(cutItem('x'.repeat(9000), { sent: 0, fence: '' }).at).toBe(4000);
  expect(cutItem(`x${'😀'.repeat(3000)}`, { sent: 0, fence: '' }).at).toBe(3999);
  expect(cutItem('x'.repeat(9000), { sent: 6000, fence: '' }).at).toBe(6000);
});
