import { describe, expect, it } from 'vitest';
import { formatBytes } from '#shared/formatText.ts';
import { formatPlural, formatCount } from './format.ts';

describe('number formats', () => {
  it.each([
    [999, '999 B'],
    [1234, '1.2 kB'],
    [999_960, '1.0 MB'],
  ])('formats %d bytes as %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [999_999, '999,999'],
    [1_234_567, '1,234,567'],
  ])('formats the count %d as %s', (count, shown) => {
    expect(formatCount(count)).toBe(shown);
  });

  it('uses the singular and the plural', () => {
    expect([formatPlural(1, 'step'), formatPlural(12_345, 'step')]).toEqual(['1 step', '12,345 steps']);
  });
});
