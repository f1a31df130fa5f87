import { expect, test } from 'vitest';
import { NOTHING, isSameChange } from './isSameChange.ts';

const shared = { text: 'a' };

test.each([
  [1, 1, true],
  [1, '1', false],
  [null, {}, false],
  [[1, [2]], [1, [2]], true],
  [[1, 2], [1], false],
  [[], {}, false],
  [{ a: 1, b: shared }, { b: { text: 'a' }, a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: undefined }, { b: 1 }, false],
  [{ b: 1 }, { a: undefined }, false],
])('compares %j with %j: %j', (left, right, isSame) => {
  expect(isSameChange({ left, right }, NOTHING)).toBe(isSame);
});

test('skips parts that are unchanged on both sides, and compares all others', () => {
  const before = { left: { list: [{ n: 1 }, { n: 2 }] }, right: { list: [{ n: 1 }, { n: 9 }] } };
  const [first, second] = [before.left.list[1], before.right.list[1]];
  const after = (left: object, right: object) => ({
    left: { list: [left, first] },
    right: { list: [right, second] },
  });
  expect(isSameChange(after({ n: 3 }, { n: 3 }), before), 'the second items are not compared').toBe(true);
  expect(isSameChange(after({ n: 3 }, { n: 4 }), before)).toBe(false);
  expect(isSameChange(before, NOTHING)).toBe(false);
});
