import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, greedyCover } from './greedyCover.ts';

const capture = (path: string, bytes: number, ...reached: number[]): Candidate => ({
  path,
  bytes,
  reached,
});

test.each<[string, readonly Candidate[], string]>([
  ['nothing of nothing', [], ''],
  ['no capture that reaches nothing', [capture('a', 1)], ''],
  [
    'the capture that reaches the most',
    [capture('a', 1, 1), capture('b', 9, 1, 2, 3), capture('c', 1, 2)],
    'b',
  ],
  [
    'the smallest of equal captures',
    [capture('a', 9, 1, 2), capture('b', 8, 1, 2), capture('c', 8, 1, 2)],
    'b',
  ],
])('keeps %s', (_, captures, kept) => {
  expect(
    greedyCover(captures)
      .map(({ path }) => path)
      .join(' '),
  ).toBe(kept);
});

const candidates = fc
  .array(fc.record({ bytes: fc.nat(9), reached: fc.array(fc.nat(20), { maxLength: 8 }) }), { maxLength: 20 })
  .map((list) => list.map(({ bytes, reached }, i) => capture(`${i}`, bytes, ...new Set(reached))));

const union = (captures: readonly Candidate[]) =>
  [...new Set(captures.flatMap(({ reached }) => [...reached]))].sort((a, b) => a - b);

test('reaches the same branches, takes no capture twice, and does not depend on the order', () => {
  fc.assert(
    fc.property(candidates, (captures) => {
      const kept = greedyCover(captures);
      expect(union(kept)).toEqual(union(captures));
      expect(new Set(kept).size).toBe(kept.length);
      expect(greedyCover(captures.toReversed())).toEqual(kept);
    }),
  );
});
