import { describe, expect, it } from 'vitest';
import { lanePath, markLength } from './Plot.tsx';

const LANE = { floor: 50, height: 40 };

it('draws a longer mark for each power of ten of errors, up to a limit', () => {
  expect([1, 10, 100, 1000, 1e9].map(markLength)).toEqual([10, 16, 22, 28, 34]);
});

describe('a lane of the timeline', () => {
  it('draws no bar for zero and a full bar for the maximum', () => {
    expect(lanePath(Uint32Array.of(0, 4, 2), LANE)).toBe('M0 50V50.0h1V10.0h1V30.0h1V50z');
  });

  it('draws a visible bar for one beside a thousand', () => {
    expect(lanePath(Uint32Array.of(1000, 1), LANE)).toContain('h1V45.2h1V50z');
  });

  it('draws no path for an area without values', () => {
    expect(lanePath(Uint32Array.of(0, 0), LANE)).toBe('');
    expect(lanePath(Uint32Array.of(0, 2), LANE)).toBe('M0 50V50.0h1V10.0h1V50z');
  });
});
