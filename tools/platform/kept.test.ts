import { expect, test } from 'vitest';
import { kept, weightOf } from './kept.ts';

const message = (length: number) => ({ content: [{ category: 'text', text: 'a'.repeat(length) }] });
const list = [message(10), message(20), message(30)];

test('messages that all fit, are the same list', () => {
  expect(kept(list, { messages: 3, weight: 60 })).toBe(list);
});

test('more messages than are kept, leaves the newest', () => {
  expect(kept(list, { messages: 2, weight: 1000 })).toEqual(list.slice(1));
});

test('more weight than is kept, leaves the newest that fit', () => {
  expect(kept(list, { messages: 3, weight: 59 })).toEqual(list.slice(1));
  expect(kept(list, { messages: 3, weight: 29 })).toEqual([]);
});

test('weight, counts avatar, text, markup and blob, whether they stand there or not', () => {
  const content = [{ text: 'ab', html: null }, { html: 'cde', blob: 'fghi' }, {}];
  expect(weightOf([{ avatar: 'x', content }, {}])).toBe(10);
});
