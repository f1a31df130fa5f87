import { expect, test } from 'vitest';
import { createFailureGroups } from './failureGroups.ts';

const failure = (signature: string, capture: string) =>
  ({ capture, outcome: 'differs', ms: 0, warnings: [], signature }) as const;

test('puts the failures with further signatures in one group', () => {
  const groups = createFailureGroups(undefined);
  for (let i = 0; i < 5000; i++) groups.add(failure(`differs: ${i}`, `${i}`));
  groups.add(failure('differs: 7', 'again'));
  const list = groups.list();
  expect(list).toHaveLength(1001);
  expect(list[7]).toMatchObject({ count: 2, others: ['again'] });
  expect(list.at(-1)).toMatchObject({ signature: 'further signatures', count: 4000 });
});

test('lists new failures before known ones, and never takes an unusable capture for known', () => {
  const groups = createFailureGroups(new Set(['differs: a', 'unusable: b']));
  groups.add(failure('differs: a', '1'));
  groups.add({ ...failure('unusable: b', '2'), outcome: 'unusable' });
  expect(groups.list().map(({ signature, isKnown }) => [signature, isKnown])).toEqual([
    ['unusable: b', false],
    ['differs: a', true],
  ]);
});
