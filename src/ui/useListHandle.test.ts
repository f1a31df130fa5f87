import { expect, test } from 'vitest';
import { distanceTo } from './useListHandle.ts';

const view = { top: 100, bottom: 300 };

test.each([
  ['start', { top: 250, bottom: 270 }, 150],
  ['center', { top: 250, bottom: 270 }, 60],
  ['end', { top: 250, bottom: 270 }, -30],
  ['nearest', { top: 250, bottom: 270 }, 0],
  ['nearest', { top: 290, bottom: 310 }, 10],
  ['nearest', { top: 90, bottom: 110 }, -10],
  ['center', { top: 50, bottom: 450 }, -50],
  ['end', { top: 150, bottom: 450 }, 50],
  ['nearest', { top: 90, bottom: 310 }, -10],
] as const)('scrolls to the %s of %j by %i pixels', (align, target, distance) => {
  expect(distanceTo(target, view, align)).toBe(distance);
});
