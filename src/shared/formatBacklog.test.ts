import { expect, test } from 'vitest';
import { formatBacklog } from './formatBacklog.ts';

test.each([
  [1, '1 update waiting, about 1 s'],
  [25, '25 updates waiting, about 3 s'],
  [600, '600 updates waiting, about 1 min 0 s'],
  [9360, '9,360 updates waiting, about 15 min 36 s'],
  [100_000, '100,000 updates waiting, about 2 h 46 min'],
])('returns how long %i updates wait', (updates, text) => {
  expect(formatBacklog(updates)).toBe(text);
});
