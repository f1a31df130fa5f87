import { expect, test } from 'vitest';
import { countCharacters, newestMessages } from './conversationLog.ts';

const message = (length: number) => ({ content: [{ category: 'text', text: 'a'.repeat(length) }] });
const list = [message(10), message(20), message(30)];

test('returns the same list when all messages fit', () => {
  expect(newestMessages(list, { messages: 3, characters: 60 })).toBe(list);
});

test('returns the newest messages when there are more than the limit', () => {
  expect(newestMessages(list, { messages: 2, characters: 1000 })).toEqual(list.slice(1));
});

test('returns the newest messages that fit when there are more characters than the limit', () => {
  expect(newestMessages(list, { messages: 3, characters: 59 })).toEqual(list.slice(1));
  expect(newestMessages(list, { messages: 3, characters: 29 })).toEqual([]);
});

test('counts the characters of avatar, text, markup and blob; missing ones count 0', () => {
  const content = [{ text: 'ab', html: null }, { html: 'cde', blob: 'fghi' }, {}];
  expect(countCharacters([{ avatar: 'x', content }, {}])).toBe(10);
});
