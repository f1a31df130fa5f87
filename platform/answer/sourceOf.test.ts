import { expect, test } from 'vitest';
import { sourceOf } from './sourceOf.ts';
import { addText, testWriter } from './testing/writeAnswer.ts';

test('returns the Markdown of a stored answer, without reasoning and notes', () => {
  const { writer, message } = testWriter();
  writer.add({ kind: 'reasoning', text: 'Think first.' });
  addText(writer, 'See [this](https://example.org):\r\n\r\n- **a**\n- b\n\n```js\nlet x;');
  writer.end({ label: 'Parley · cut off', note: 'The connection was cut.' });
  expect(sourceOf(message() ?? {})).toBe('See this (https://example.org):\n\n- **a**\n- b\n\n```js\nlet x;');
});

test('returns nothing for a message without text', () => {
  expect(sourceOf({})).toBe('');
  expect(
    sourceOf({ content: [{ category: 'image', text: 'a.png', blob: 'AAAA' }, { category: 'text' }] }),
  ).toBe('');
});
