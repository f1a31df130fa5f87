import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { createTokenBucket } from './tokenBucket.ts';

test('accepts a burst, then the rate', () => {
  const clock = virtualClock();
  const bucket = createTokenBucket({ burst: 10, perSecond: 2 }, clock);
  const accepted = () => Array.from({ length: 20 }, () => bucket.take(1)).filter(Boolean).length;
  expect(accepted()).toBe(10);
  expect(bucket.isEmpty()).toBe(true);
  clock.advance(1500);
  expect(accepted()).toBe(3);
  clock.advance(1e6);
  expect(accepted()).toBe(10);
});

test('accepts one cost that is larger than the burst, and then nothing for longer', () => {
  const clock = virtualClock();
  const bucket = createTokenBucket({ burst: 10, perSecond: 2 }, clock);
  expect(bucket.take(30)).toBe(true);
  clock.advance(10_000);
  expect(bucket.take(1)).toBe(false);
  clock.advance(1);
  expect(bucket.take(1)).toBe(true);
});
