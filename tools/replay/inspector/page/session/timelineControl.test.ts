import { describe, expect, it } from 'vitest';
import { clampRange } from './timelineControl.ts';

describe('the range shown of a session of 1000 ms', () => {
  it.each([
    [
      { from: 200, to: 300 },
      { from: 200, to: 300 },
    ],
    [
      { from: -400, to: 100 },
      { from: 0, to: 500 },
    ],
    [
      { from: 900, to: 1100 },
      { from: 800, to: 1000 },
    ],
    [
      { from: -5000, to: 5000 },
      { from: 0, to: 1000 },
    ],
    [
      { from: 500, to: 501 },
      { from: 495.5, to: 505.5 },
    ],
  ])('limits %j to %j', (wanted, shown) => {
    expect(clampRange(wanted, 1000)).toEqual(shown);
  });
});
