import { expect, test } from 'vitest';
import { systemClock } from './systemClock.ts';

const doNothing = () => {};

/** What a machine offers, with its timers listed rather than run. */
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

test('the machine’s monotonic time, told as it is', () => {
  const { source, setNow } = machine();
  const clock = systemClock(source);
  expect(clock.now()).toBe(5);
  setNow(17.25);
  expect(clock.now()).toBe(17.25);
});

test('a task, handed to the machine’s timers and taken back by its cancel', () => {
  const { source, timers } = machine();
  const clock = systemClock(source);
  const cancel = clock.after(30, doNothing);
  clock.after(40, doNothing);
  expect(timers.get(0)).toEqual({ task: doNothing, ms: 30 });
  cancel();
  expect(Array.from(timers.values(), ({ ms }) => ms)).toEqual([40]);
});

test('Node’s own timers, a task runs', async () => {
  const clock = systemClock(globalThis);
  const start = clock.now();
  await new Promise<void>((resolve) => void clock.after(0, resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(start);
});
