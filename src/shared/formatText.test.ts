import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { clip, formatBacklog, errorLine } from './formatText.ts';

test.each([
  ['returns a text that fits', 'hello', 'hello'],
  ['cuts a longer text and adds an ellipsis', 'hello!', 'hello…'],
  ['leaves out a character that does not fit completely', 'abcd👋x', 'abcd…'],
  ['keeps a character that ends at the limit', 'abc👋x', 'abc👋…'],
])('%s', (_, text, clipped) => {
  expect(clip(text, 5)).toBe(clipped);
});

test('never splits a surrogate pair, and keeps all characters that fit', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '👋', '𝒳') });
  checkProperty(
    fc.property(texts, fc.nat({ max: 20 }), (text, length) => {
      const clipped = clip(text, length);
      expect(clipped.isWellFormed()).toBe(true);
      expect(text.startsWith(clipped.replace(/…$/u, ''))).toBe(true);
      expect(clipped.length).toBeGreaterThanOrEqual(Math.min(text.length, length));
      expect(clipped.length).toBeLessThanOrEqual(length + 1);
    }),
  );
});

test.each([
  [1, '1 update waiting, about 1 s'],
  [25, '25 updates waiting, about 3 s'],
  [600, '600 updates waiting, about 1 min 0 s'],
  [9360, '9,360 updates waiting, about 15 min 36 s'],
  [100_000, '100,000 updates waiting, about 2 h 46 min'],
])('returns how long %i updates wait', (updates, text) => {
  expect(formatBacklog(updates)).toBe(text);
});

test('formats one line without the prefix of commander', () => {
  expect(errorLine("error: unknown option '--prot'\n(Did you mean --port?)\n")).toBe(
    "unknown option '--prot' (Did you mean --port?)\n",
  );
  expect(errorLine('port 4311 is taken: free it')).toBe('port 4311 is taken: free it\n');
});
