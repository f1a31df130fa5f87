import { expect, it } from 'vitest';
import { stepOfHash } from './share.ts';

it.each([
  ['#step=12', 12],
  ['#a=1&step=3', 3],
  ['#nostep=3', undefined],
  ['#step=', undefined],
  ['', undefined],
])('reads from the address %j the step %s', (hash, step) => {
  expect(stepOfHash(hash)).toBe(step);
});
