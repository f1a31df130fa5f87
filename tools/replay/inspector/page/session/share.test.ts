import { expect, it } from 'vitest';
import { stepOfHash } from './share.ts';

it.each([
  ['#step=12', 12],
  ['#a=1&step=3', 3],
  ['#nostep=3', undefined],
  ['#step=', undefined],
  ['', undefined],
])('the address %j, step %s', (hash, step) => {
  expect(stepOfHash(hash)).toBe(step);
});
