import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { createRefusalDelay } from './pamAuthenticator.ts';

/** A delay, and a function that returns when the slot of a sign-in becomes free. */
function scene(startAt = 0) {
  const clock = fakeClock();
  clock.advance(startAt);
  const delay = createRefusalDelay({ clock });
  const endOf = async (took: number) => {
    const startedAt = clock.monotonic();
    clock.advance(took);
    delay.add(took);
    const waited = delay.wait(startedAt);
    const [wait = Number.NaN] = clock.waits;
    clock.advance(wait);
    await waited;
    return clock.monotonic();
  };
  return { clock, endOf };
}

test('keeps the slot of a refusal until the next multiple of 100 ms', async () => {
  const { clock, endOf } = scene(1070);
  for (const end of [1100, 1200, 1300]) expect(await endOf(3)).toBe(end);
  clock.advance(0.4);
  // Timers take whole milliseconds.
  expect(await endOf(35)).toBeCloseTo(1400.4);
  expect(await endOf(0)).toBeCloseTo(1500.4);
});

test('keeps the slots of quick refusals as long as those of slow ones', async () => {
  const { endOf } = scene();
  expect(await endOf(130)).toBe(200);
  for (const end of [400, 600]) expect(await endOf(3)).toBe(end);
  expect(await endOf(210)).toBe(900);
  expect(await endOf(0)).toBe(1200);
});

test('keeps other slots at most 600 ms for one very slow sign-in', async () => {
  const { endOf } = scene();
  expect(await endOf(9000)).toBe(9100);
  expect(await endOf(3)).toBe(9700);
});

test('forgets a slow sign-in after one to two minutes', async () => {
  const { clock, endOf } = scene();
  expect(await endOf(130)).toBe(200);
  clock.advance(59_800);
  expect(await endOf(3)).toBe(60_200);
  clock.advance(59_800);
  expect(await endOf(3)).toBe(120_100);
  expect(await endOf(130)).toBe(120_300);
  clock.advance(300_000);
  expect(await endOf(3)).toBe(420_400);
});
