import { describe, expect, it } from 'vitest';
import { FIT } from '#shared/store/windowState.ts';
import { withinView, zoomBy } from './useZoom.ts';

const sizes = { image: { width: 400, height: 200 }, view: { width: 600, height: 300 } };

describe('zoomBy', () => {
  it('keeps the point under the pointer where it is', () => {
    const before = { factor: 2, x: 30, y: -10 };
    const at = { x: 100, y: 50 };
    const after = zoomBy(before, 1.5, at);
    expect(after.factor).toBe(3);
    // The point of the image, in pixels of the image that fits.
    expect((at.x - after.x) / after.factor).toBeCloseTo((at.x - before.x) / before.factor);
    expect((at.y - after.y) / after.factor).toBeCloseTo((at.y - before.y) / before.factor);
  });

  it('stays between the whole image and 64 times its size', () => {
    expect(zoomBy(FIT, 0.5, { x: 10, y: 10 })).toEqual(FIT);
    expect(zoomBy(FIT, 1000, { x: 0, y: 0 }).factor).toBe(64);
  });
});

describe('withinView', () => {
  it.each([
    ['centres an image that fits', { factor: 1, x: 50, y: -50 }, FIT],
    ['leaves no space beside a larger image', { factor: 2, x: 500, y: -500 }, { factor: 2, x: 100, y: -50 }],
    ['moves only along the side that is larger', { factor: 1.5, x: 9, y: 9 }, { factor: 1.5, x: 0, y: 0 }],
    ['keeps a position within the limits', { factor: 2, x: -40, y: 20 }, { factor: 2, x: -40, y: 20 }],
  ])('%s', (_, zoom, expected) => {
    expect(withinView(zoom, sizes)).toEqual(expected);
  });
});
