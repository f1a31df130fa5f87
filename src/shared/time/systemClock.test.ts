import { expect, test } from 'vitest';
import { systemClock } from './systemClock.ts';

const doNothing = () => {};

/** A machine's time functions that record the timers instead of running them. */
function machine() {
  const timers = new Map<number, { task: () => void; ms: number }>();
  let now = 5;
  const source = {
    performance: { now: () => now },
    setTimeout(task: () => void, ms: number) {
      timers.set(timers.size, { task, ms });
      return timers.size - 1;
    },
    clearTimeout: (timer: number) => void timers.delete(timer),
  };
  return { source, timers, setNow: (at: number) => (now = at) };
}

test('returns the machine’s monotonic time', () => {
  const { source, setNow } = machine();
  const clock = systemClock(source);
  expect(clock.now()).toBe(5);
  setNow(17.25);
  expect(clock.now()).toBe(17.25);
});

test('schedules a task with the machine’s timers and cancels it there', () => {
  const { source, timers } = machine();
  const clock = systemClock(source);
  const cancel = clock.after(30, doNothing);
  clock.after(40, doNothing);
  expect(timers.get(0)).toEqual({ task: doNothing, ms: 30 });
  cancel();
  expect(Array.from(timers.values(), ({ ms }) => ms)).toEqual([40]);
});

test('runs a task with Node’s timers', async () => {
  const clock = systemClock(globalThis);
  const start = clock.now();
  await new Promise<void>((resolve) => void clock.after(0, resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(start);
});
