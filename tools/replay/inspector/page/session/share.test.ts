import { expect, it } from 'vitest';
import { startOfHash } from './share.ts';

it.each([
  ['#step=12', { step: 12 }],
  ['#update=7', { update: 7 }],
  ['#a=1&step=3', { step: 3 }],
  ['#a=1&update=3', { update: 3 }],
  ['#at=2:03.400', { t: 123_400 }],
  ['#at=12', { t: 12_000 }],
  ['#at=1:2', undefined],
  ['#nostep=3', undefined],
  ['#step=', undefined],
  ['#update=x', undefined],
  ['', undefined],
])('reads from the address %j the start %j', (hash, start) => {
  expect(startOfHash(hash)).toEqual(start);
});
