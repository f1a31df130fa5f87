import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { createRateLimit } from './rateLimit.ts';

test('accepts what a window allows, and returns how long the next one waits', () => {
  const clock = virtualClock();
  const limit = createRateLimit(clock, { max: 2, windowMs: 60_000 });
  expect(limit.take('a')).toBe(0);
  clock.advance(10_000);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(50_000);
  expect(limit.take('b')).toBe(0);
  clock.advance(49_999);
  expect(limit.take('a')).toBe(1);
  clock.advance(1);
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(10_000);
});

test('remembers a key that is used while many others are', () => {
  const clock = virtualClock();
  const limit = createRateLimit(clock, { max: 1, windowMs: 60_000 });
  for (let account = 0; account < 1500; account++) expect(limit.take(`${account}`)).toBe(0);
  expect(limit.take('0')).toBe(60_000);
  clock.advance(60_000);
  expect(limit.take('0')).toBe(0);
});
