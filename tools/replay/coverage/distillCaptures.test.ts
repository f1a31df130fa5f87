import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, distillCaptures } from './distillCaptures.ts';

const capture = (path: string, bytes: number, ...reached: number[]): Candidate => ({
  path,
  bytes,
  reached: new Set(reached),
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
  [
    'no capture that later ones make superfluous',
    [capture('a', 5, 1, 2, 3, 4), capture('b', 5, 1, 2, 5), capture('c', 5, 3, 4, 6)],
    'b c',
  ],
])('keeps %s', (_, captures, kept) => {
  expect(
    distillCaptures(captures)
      .map(({ path }) => path)
      .join(' '),
  ).toBe(kept);
});

const candidates = fc
  .array(fc.record({ bytes: fc.nat(9), reached: fc.array(fc.nat(20), { maxLength: 8 }) }), { maxLength: 20 })
  .map((list) => list.map(({ bytes, reached }, i) => capture(`${i}`, bytes, ...reached)));

const union = (captures: readonly Candidate[]) =>
  [...new Set(captures.flatMap(({ reached }) => [...reached]))].sort((a, b) => a - b);

test('reaches the same branches, needs each capture, and does not depend on the order', () => {
  fc.assert(
    fc.property(candidates, (captures) => {
      const kept = distillCaptures(captures);
      expect(union(kept)).toEqual(union(captures));
      for (const one of kept)
        expect(union(kept.filter((other) => other !== one))).not.toEqual(union(captures));
      expect(distillCaptures(captures.toReversed())).toEqual(kept);
    }),
  );
});
