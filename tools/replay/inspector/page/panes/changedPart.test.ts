import { expect, it } from 'vitest';
import { changedPart } from './changedPart.ts';

it.each([
  ['"It"', '"It does"', { start: '"It', before: '', after: ' does', end: '"' }],
  ['1', '2', { start: '', before: '1', after: '2', end: '' }],
  ['aa', 'aaa', { start: 'aa', before: '', after: 'a', end: '' }],
  ['x', 'x', { start: 'x', before: '', after: '', end: '' }],
])('returns only what differs between %s and %s', (before, after, part) => {
  expect(changedPart(before, after)).toEqual(part);
});
