import { expect, test } from 'vitest';
import { findField } from './frameField.ts';

/** Finds the field of a value without parts. */
const field = (content: unknown, path: string, after: unknown) =>
  findField(content, [{ path, before: undefined, after }]);

test.each([
  ['the same value under the same name', { id: 'x', title: 'x' }, 'state.cards[0].title', 'x', 'title'],
  [
    'the same value under another name',
    { to: 'done', list: [{ n: 7 }] },
    'state.cards[0].column',
    'done',
    'to',
  ],
  ['a number under another name', { list: [{ n: 7 }] }, 'state.count', 7, 'list[0].n'],
  ['an object', { items: [{ a: 1, b: [2] }] }, 'state.last', { b: [2], a: 1 }, 'items[0]'],
  ['an item of a list with the same name', { tags: ['a', 'b'] }, 'state.tags[1]', 'b', 'tags[1]'],
  ['the whole frame', 'hello', 'state.text', 'hello', ''],
  ['a text that is a part of it', { text: 'wor', id: 1 }, 'state.text', 'Hello wor!', 'text'],
])('finds %s', (...[, content, path, after, expected]) => {
  expect(field(content, path, after)).toBe(expected);
});

test('finds the text by which a value grew', () => {
  const grown = { path: 'state.text', before: 'hello', after: 'hello world' };
  expect(findField({ kind: 'delta', chunk: ' world' }, [grown])).toBe('chunk');
});

test('finds the field of a part when the whole value is not in the frame', () => {
  const part = { path: 'state.card.title', before: 'a', after: 'b' };
  const change = { path: 'state.card', before: { title: 'a', n: 1 }, after: { title: 'b', n: 1 } };
  expect(findField({ title: 'b' }, [change, part])).toBe('title');
});

test.each([
  [
    'true, null, an empty text and small numbers by chance',
    { other: true, n: 1, e: '', z: null },
    [true, 1, '', null],
  ],
  ['a removed value', { a: 'x' }, [undefined]],
  ['anything in a frame that is not JSON', undefined, ['x', 3]],
])('does not find %s', (_what, content, values) => {
  for (const value of values) expect(field(content, 'state.flag', value)).toBeUndefined();
});

test('finds true and an empty text under the same name', () => {
  expect(field({ message: { seen: true } }, 'messages[3].seen', true)).toBe('message.seen');
});
