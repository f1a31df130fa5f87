import { expect, test } from 'vitest';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { quoteText } from './useActionEffects.ts';

test.each([
  ['one line', 'Good morning', '> Good morning\n\n'],
  ['several lines, without spaces around them', ' one \r\n\n  two\n', '> one\n>\n> two\n\n'],
  ['a long text up to its last whole word', 'word '.repeat(30), `> ${'word '.repeat(23)}word…\n\n`],
  ['a long word, without splitting a character', `a${'😀'.repeat(100)}`, `> a${'😀'.repeat(59)}…\n\n`],
  ['the first five of many lines', 'a\n'.repeat(9), `${'> a\n'.repeat(4)}> a…\n\n`],
])('quotes %s', (_, text, expected) => {
  expect(quoteText(text)).toBe(expected);
});

test('leaves room for an answer', () => {
  expect(quoteText('some words\n'.repeat(200)).length).toBeLessThan(TEXT_LENGTH - 100);
});
