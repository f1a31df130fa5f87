import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { findNonJson } from './findNonJson.ts';

class Card {
  readonly title = 'a';
}

const cycle: Record<string, unknown> = {};
cycle['list'] = [cycle];

const sparse: unknown[] = [1];
sparse[2] = 3;

test.each<readonly [unknown, string]>([
  [new Map([['a', 1]]), 'a Map'],
  [new Set([1]), 'a Set'],
  [new Date(0), 'a Date'],
  [new Card(), 'a Card'],
  [Object.create(Object.create(null)), 'a class instance'],
  [Object.create({ inherited: 1 }), 'an Object'],
  [new RangeError('x'), 'a RangeError'],
  [new Uint8Array(2), 'an Uint8Array'],
  [Object('boxed'), 'a String'],
  [() => 1, 'a function'],
  [Symbol('s'), 'a symbol'],
  [10n, 'a bigint'],
  [Number.NaN, 'NaN'],
  [-Infinity, '-Infinity'],
  [{ [Symbol('s')]: 1 }, 'an object with a symbol as the name of a field'],
  [Object.assign([1], { named: 1 }), 'a list with named fields'],
])('finds %o inside of a state, with its path and its kind', (value, what) => {
  expect(findNonJson({ cards: [{ plain: 1 }, { 'a b': value }] }, 'state')).toEqual({
    path: 'state.cards[1]["a b"]',
    what,
  });
});

test('finds what JSON replaces in a list: `undefined` and a missing item', () => {
  expect(findNonJson([1, undefined])).toEqual({ path: '[1]', what: 'undefined' });
  expect(findNonJson({ sparse })).toEqual({ path: 'sparse[1]', what: 'undefined' });
});

test('finds an object that contains itself, and accepts one that is in two places', () => {
  expect(findNonJson(cycle, 'state')?.path).toBe('state.list[0]');
  const shared = { a: 1 };
  expect(findNonJson([shared, { again: shared }, [shared]])).toBeUndefined();
});

test('finds nothing in values that JSON gives back', () => {
  checkProperty(
    fc.property(fc.jsonValue(), (value) => {
      expect(findNonJson(value)).toBeUndefined();
    }),
  );
  expect(
    findNonJson({ missing: undefined, zero: -0 }),
    'a missing field, and -0, which counts as 0',
  ).toBeUndefined();
});

test('does not search objects again that it knows', () => {
  const known = new WeakSet();
  const part = { date: undefined as unknown };
  expect(findNonJson({ part }, '', known)).toBeUndefined();
  part.date = new Date(0);
  expect(findNonJson({ part, more: 1 }, '', known)).toBeUndefined();
  expect(findNonJson({ part, more: 1 })?.path).toBe('part.date');
});
