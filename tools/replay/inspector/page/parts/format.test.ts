import { describe, expect, it } from 'vitest';
import { formatBytes } from '#ui/base/formatBytes.ts';
import { counted, formatCount, formatDelay, formatTime } from './format.ts';

describe('what is shown of numbers', () => {
  it.each([
    [0, '0.000'],
    [1230.4, '1.230'],
    [59_999.6, '1:00.000'],
    [123_400, '2:03.400'],
    [3_723_400, '1:02:03.400'],
  ])('a time of %d ms, %s', (ms, shown) => {
    expect(formatTime(ms)).toBe(shown);
  });

  it.each([
    [37.6, '38 ms'],
    [999.6, '1.0 s'],
  ])('a wait of %d ms, %s', (ms, shown) => {
    expect(formatDelay(ms)).toBe(shown);
  });

  it.each([
    [999, '999 B'],
    [1234, '1.2 kB'],
    [999_960, '1.0 MB'],
  ])('%d bytes, %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [999_999, '999,999'],
    [1_234_567, '1,234,567'],
  ])('the count %d, %s', (count, shown) => {
    expect(formatCount(count)).toBe(shown);
  });

  it('one and many, each in its form', () => {
    expect([counted(1, 'step'), counted(12_345, 'step')]).toEqual(['1 step', '12,345 steps']);
  });
});
