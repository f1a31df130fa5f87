import { expect, test, it } from 'vitest';
import { appendedPart, shownChanges, changedPart } from './DiffPane.tsx';

const change = (path: string) => ({ path, before: 1, after: 2 });
const view = { step: 4, base: 3, diff: [change('person'), change('counts.applied')], diffTotal: 2 };

test('omits the changes of the counts unless they are wanted', () => {
  expect(shownChanges(view, false)).toMatchObject({ changes: [change('person')], total: 1 });
  expect(shownChanges(view, true)).toMatchObject({ changes: view.diff, total: 2 });
  expect(shownChanges({ ...view, diffTotal: -1 }, false).total).toBe(-1);
});

test.each([
  [{ ...view, step: 0, base: 0, diff: [] }, 'Before the first step there is nothing to compare.'],
  [{ ...view, diff: [change('counts.sent')] }, 'Nothing changed except the counts.'],
  [{ ...view, diff: [] }, 'Nothing in the state changed.'],
])('says what did not change: %#', (shown, none) => {
  expect(shownChanges(shown, false).none).toBe(none);
});

test.each([
  ['It', 'It does', { end: 'It', added: ' does' }],
  ['x'.repeat(30), `${'x'.repeat(30)}y`, { end: `…${'x'.repeat(24)}`, added: 'y' }],
  ['', 'new', undefined],
  ['same', 'same', undefined],
  ['longer', 'long', undefined],
  ['It', 'is', undefined],
  [null, 'text', undefined],
])('returns what was appended to %j in %j', (before, after, appended) => {
  expect(appendedPart({ before, after })).toEqual(appended);
});

it.each([
  ['"It"', '"It does"', { start: '"It', before: '', after: ' does', end: '"' }],
  ['1', '2', { start: '', before: '1', after: '2', end: '' }],
  ['aa', 'aaa', { start: 'aa', before: '', after: 'a', end: '' }],
  ['x', 'x', { start: 'x', before: '', after: '', end: '' }],
])('returns only what differs between %s and %s', (before, after, part) => {
  expect(changedPart(before, after)).toEqual(part);
});
