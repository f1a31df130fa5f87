import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { createDelayFailure } from './failureLimit.ts';

/** Returns when a refusal is sent, in milliseconds after its request, for a time of PAM. */
async function leavesAfter(taken: number, random: number): Promise<number> {
  const clock = fakeClock();
  clock.advance(70);
  const hold = createDelayFailure({ clock, times: { floorMs: 500, jitterMs: 50 }, random: () => random });
  clock.advance(taken);
  const held = hold(70);
  const [wait = Number.NaN] = clock.waits;
  clock.advance(wait);
  await held;
  return clock.monotonic() - 70;
}

test('sends a refusal at the floor when PAM took less', async () => {
  for (const taken of [0, 1, 35, 499, 500]) expect(await leavesAfter(taken, 0)).toBe(500);
});

test('sends a refusal at the next multiple of the floor when PAM took longer', async () => {
  for (const taken of [501, 777, 1000]) expect(await leavesAfter(taken, 0)).toBe(1000);
});

test('adds the jitter', async () => {
  expect(await leavesAfter(35, 0.5)).toBe(525);
  expect(await leavesAfter(499, 0.98)).toBe(549);
});
