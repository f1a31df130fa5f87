import { expect, test } from 'vitest';
import { nextItem } from './nextItem.ts';

const LABELS = ['Save', 'Settings', 'About'];

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['ArrowUp', 1, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['s', 0, 1],
  ['S', 1, 0],
  ['a', 0, 2],
  ['a', 2, 2],
  ['x', 0, null],
  [' ', 0, null],
  ['Enter', 0, null],
  ['Escape', 0, null],
])('returns the target of %s at entry %i: %j', (key, at, expected) => {
  expect(nextItem(key, at, LABELS)).toBe(expected);
});
