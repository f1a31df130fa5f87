import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { tickBefore, tickFor } from './queue.ts';

test.each([
  ['spec §8 queue tick: a frame at the launch', 0, 0, 100],
  ['spec §8 queue tick: a frame between ticks', 42.5, 0, 100],
  ['spec §8 queue tick: a frame just before a tick', 99.999, 0, 100],
  ['contract §5: a frame exactly at a tick', 100, 0, 200],
  ['contract §5: a frame exactly at a tick that released another', 100, 100, 200],
  ['spec §4.4 item 4: a frame while others wait', 42, 300, 400],
  ['contract §5: a frame after empty ticks', 1234, 300, 1300],
])('%s gets the expected tick', (_, ...[at, previous, tick]) => {
  expect(tickFor(at, previous)).toBe(tick);
});

test.each([
  [0, 0],
  [99.9, 0],
  [100, 100],
  [250, 200],
])('returns the latest tick at or before %d: %d', (at, tick) => {
  expect(tickBefore(at)).toBe(tick);
});

test('contract §5: returns a multiple of 100 ms after the frame and after the previous tick, for any arrival', () => {
  const moment = fc.double({ min: 0, max: 1e9, noNaN: true });
  checkProperty(
    fc.property(moment, fc.nat(1_000_000), (at, ticks) => {
      const tick = tickFor(at, ticks * 100);
      expect(tick % 100).toBe(0);
      expect(tick).toBeGreaterThan(at);
      expect(tick).toBeGreaterThan(ticks * 100);
      expect(tick - 100 <= at || tick - 100 === ticks * 100).toBe(true);
    }),
    1000,
  );
});
