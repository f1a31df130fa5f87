import { expect, test } from 'vitest';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { createMessageLimit } from './messageLimit.ts';

test('accepts the messages of a minute, and says how long the next one waits', () => {
  const clock = virtualClock();
  const limit = createMessageLimit(clock, 2);
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

test('remembers an account that sends while many others do', () => {
  const clock = virtualClock();
  const limit = createMessageLimit(clock, 1);
  for (let account = 0; account < 1500; account++) expect(limit.take(`${account}`)).toBe(0);
  expect(limit.take('0')).toBe(60_000);
  clock.advance(60_000);
  expect(limit.take('0')).toBe(0);
});
