import { describe, expect, it } from 'vitest';
import { areaPath, barsPath, markLength } from './Plot.tsx';

const LANE = { floor: 50, height: 40 };

it('draws a longer mark for each power of ten of errors, up to a limit', () => {
  expect([1, 10, 100, 1000, 1e9].map(markLength)).toEqual([10, 16, 22, 28, 34]);
});

describe('a lane of the timeline', () => {
  it('draws no bar for zero and a full bar for the maximum', () => {
    expect(barsPath(Uint32Array.of(0, 4, 2), LANE)).toBe('M1 50v-40.0h1V50zM2 50v-20.0h1V50z');
  });

  it('draws a visible bar for one beside a thousand', () => {
    expect(barsPath(Uint32Array.of(1000, 1), LANE)).toContain('M1 50v-4.8');
  });

  it('draws no path for an area without values', () => {
    expect(areaPath(Uint32Array.of(0, 0), LANE)).toBe('');
    expect(areaPath(Uint32Array.of(0, 2), LANE)).toBe('M0 50V50.0h1V10.0h1V50z');
  });
});
