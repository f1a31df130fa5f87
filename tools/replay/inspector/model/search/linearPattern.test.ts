import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { linearPattern } from './linearPattern.ts';

const anyAtom = fc.constantFrom(
  ...String.raw`a b A . [ab] [^a] [a-c\]] \w \W \d \. \n \x61 \u0062 ^ $ \b \B (?:) { é \t [^] ]`.split(' '),
);
const anyQuantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?');
const isPosition = (source: string) => /^(?:[$^{]|\\b)$/i.test(source);
const { pattern: anyPattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        anyAtom,
        tie('pattern').map((inner) => `(${inner})`),
        tie('pattern').map((inner) => `(?<x>${inner.replaceAll('(?<x>', '(?:')})`),
      ),
      anyQuantifier,
    )
    .map(([one, quantifier]) => (isPosition(one) ? one : one + quantifier)),
  pattern: fc
    .array(fc.oneof({ weight: 5, arbitrary: tie('part') }, fc.constant('|')), { maxLength: 4 })
    .map((parts) => parts.join('')),
}));
const anyText = fc
  .array(fc.constantFrom('a', 'b', 'A', 'c', ' ', '\n', '.', '1', '{', ']', 'é'), { maxLength: 8 })
  .map((characters) => characters.join(''));

/** Returns the pattern of the browser; `undefined` when it is not valid, as with two groups of one name. */
function nativePattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

test('finds what the browser’s engine finds, for any pattern and texts', () => {
  checkProperty(
    fc.property(anyPattern, fc.constantFrom('', 'i', 'm', 's'), fc.array(anyText), (source, flags, texts) => {
      const native = nativePattern(source, flags);
      const linear = native && linearPattern(source, flags);
      for (const text of texts) expect(linear?.(text)).toBe(native?.test(text));
    }),
    300,
  );
});

test('takes linear time for a pattern that backtracks exponentially', () => {
  expect(linearPattern('(a+)+$')(`${'a'.repeat(50_000)}!`)).toBe(false);
});

test('keeps a limited number of places for a pattern with very many', () => {
  const matches = linearPattern('a.{12}b$');
  const texts = Array.from({ length: 3000 }, (_, i) =>
    i.toString(2).replaceAll('0', 'a').replaceAll('1', 'b'),
  );
  expect(texts.map(matches)).toEqual(texts.map((text) => /a.{12}b$/.test(text)));
});

test.each([
  ['(', '', /not a valid regular expression: \/\(\//],
  ['a', 'y', /flags of a pattern are i, m and s/],
  ['(a)\\1', '', /cannot contain \\1/],
  ['a(?=b)', '', /cannot contain \(\?=/],
  ['(?<!a)b', '', /cannot contain \(\?<!/],
  ['a'.repeat(201), '', /at most 200 characters/],
  ['(a{40}){40}', '', /repeats too much/],
  ['(((((((((a{0,9}){0,9}){0,9}){0,9}){0,9}){0,9}){0,9}){0,9}){0,9})', '', /repeats too much/],
])('rejects the pattern %s with a reason', (source, flags, message) => {
  expect(() => linearPattern(source, flags)).toThrow(message);
});
