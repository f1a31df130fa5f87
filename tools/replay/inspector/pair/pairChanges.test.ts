import { expect, test } from 'vitest';
import { pairChanges } from './pairChanges.ts';

const change = (path: string, before: unknown, after: unknown) => ({ path, before, after });

test('shows the places whose values differ, with the value of each session', () => {
  const first = [change('person', 'Ada', 'Grace'), change('counts.applied', 1, 2), change('a', 1, 2)];
  const second = [
    change('person', 'Ada', 'Edith'),
    change('counts.applied', 1, 2),
    change('b', 1, undefined),
  ];
  expect(pairChanges(first, second)).toEqual([
    change('person', 'Grace', 'Edith'),
    change('a', 2, 1),
    change('b', 1, undefined),
  ]);
});

test('shows only the different parts of two added values', () => {
  const added = (text: string) => [change('messages[3]', undefined, { id: 'm-3', content: [{ text }] })];
  expect(pairChanges(added('one'), added('two'))).toEqual([
    change('messages[3].content[0].text', 'one', 'two'),
  ]);
});
