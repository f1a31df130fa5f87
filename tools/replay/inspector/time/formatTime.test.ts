import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { formatTime, parseTime } from './formatTime.ts';

test.each([
  [0, '0.000'],
  [1230.4, '1.230'],
  [59_999.6, '1:00.000'],
  [123_400, '2:03.400'],
  [3_723_400, '1:02:03.400'],
])('formats a time of %d ms as %s', (ms, shown) => {
  expect(formatTime(ms)).toBe(shown);
});

test('parses each time that the inspector shows', () => {
  checkProperty(
    fc.property(fc.nat(1e8), (ms) => {
      expect(parseTime(formatTime(ms))).toBe(ms);
    }),
  );
});

test.each([
  ['12', 12_000],
  ['1.5', 1500],
  ['2:03', 123_000],
  ['90:00.5', 5_400_500],
  ['1500 ms', 1500],
  ['1.5 s', 1500],
  ['2min', 120_000],
])('parses the time %s as %d ms', (text, ms) => {
  expect(parseTime(text)).toBe(ms);
});

test.each(['', '1 year', '1:2', '1:234', '-1', '1:2:03:04', '1e3'])('rejects the time %j', (text) => {
  expect(parseTime(text)).toBeUndefined();
});
