import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { append, changeLast, itemAt, vectorOf } from '#shared/conversation/vector.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { differingIndexes } from './vectorDiff.ts';

const indexes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const objects = (count: number) => indexes(0, count).map((n) => ({ n }));

test.each([0, 1, 31, 32, 33, 64, 65, 1024, 1056, 1057, 33_000])(
  'finds only the item that was added to %d items',
  (length) => {
    const before = vectorOf(objects(length));
    expect(differingIndexes(before, append(before, { n: -1 }))).toEqual([length]);
  },
);

test.each([1, 32, 33, 1057])('finds only the last of %d items when it was replaced', (length) => {
  const before = vectorOf(objects(length));
  expect(
    differingIndexes(
      before,
      changeLast(before, () => ({ n: -1 })),
    ),
  ).toEqual([length - 1]);
});

test('finds no difference in the remaining items of a shorter list', () => {
  const items = objects(1100);
  expect(differingIndexes(vectorOf(items), vectorOf(items.slice(0, 40)))).toEqual([]);
});

test('finds the same indexes as a comparison item by item', () => {
  const list = fc.array(fc.constantFrom('a', 'b'), { maxLength: 80 });
  checkProperty(
    fc.property(list, list, (a, b) => {
      const [before, after] = [vectorOf(a), vectorOf(b)];
      const expected = indexes(0, b.length).filter((i) => itemAt(before, i) !== itemAt(after, i));
      expect(differingIndexes(before, after)).toEqual(expected);
    }),
  );
});
