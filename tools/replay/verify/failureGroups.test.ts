import { expect, test } from 'vitest';
import { createTally } from './failureGroups.ts';

const failure = (signature: string, capture: string) =>
  ({ capture, outcome: 'differs', ms: 0, warnings: [], signature }) as const;

test('puts the failures with further signatures in one group', () => {
  const tally = createTally();
  for (let i = 0; i < 5000; i++) tally.add(failure(`differs: ${i}`, `${i}`));
  tally.add(failure('differs: 7', 'again'));
  const list = tally.groups();
  expect(list).toHaveLength(1001);
  expect(list[7]).toMatchObject({ count: 2, others: ['again'] });
  expect(list.at(-1)).toMatchObject({ signature: 'further signatures', count: 4000 });
});

test('lists new failures before known ones, and never takes an unusable capture for known', () => {
  const tally = createTally(new Set(['differs: a', 'unusable: b']));
  tally.add(failure('differs: a', '1'));
  tally.add({ ...failure('unusable: b', '2'), outcome: 'unusable' });
  expect(tally.groups().map(({ signature, isKnown }) => [signature, isKnown])).toEqual([
    ['unusable: b', false],
    ['differs: a', true],
  ]);
});
