import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { clip } from './clip.ts';

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
