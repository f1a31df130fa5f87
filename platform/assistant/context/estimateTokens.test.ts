import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '#tests/builders/codePoint.ts';
import { estimateTokens, firstTokens, lastTokens } from './estimateTokens.ts';

test.each([
  ['', 0],
  ['abc', 1],
  ['abcd', 2],
  ['Grüße', 2],
  ['こんにちは', 5],
  ['👍🏽', 2],
])('estimates %j as %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('shortens a text to its beginning or its end, within the limit and between characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.nat({ max: 40 }), (text, limit) => {
      const [first, last] = [firstTokens(text, limit), lastTokens(text, limit)];
      expect(text.startsWith(first)).toBe(true);
      expect(text.endsWith(last)).toBe(true);
      for (const part of [first, last]) {
        expect(estimateTokens(part)).toBeLessThanOrEqual(limit);
        expect(part.isWellFormed()).toBe(true);
      }
      const isWhole = estimateTokens(text) <= limit;
      expect([first === text, last === text]).toEqual([isWhole, isWhole]);
    }),
    { seed: 17, numRuns: 300 },
  );
});
