import { expect, test } from 'vitest';
import { type Clock, every } from './clock.ts';
import { virtualClock } from './virtualClock.ts';

test('each 1000 ms, run at 1000, 2000, …', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  every(clock, 1000, () => ran.push(clock.now()));
  clock.advance(3500);
  expect(ran).toEqual([1000, 2000, 3000]);
});

test('cancelled, no more runs and nothing left waiting', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  const cancel = every(clock, 10, () => ran.push(clock.now()));
  clock.advance(25);
  cancel();
  cancel();
  clock.advance(100);
  expect(ran).toEqual([10, 20]);
  expect(clock.nextDue()).toBeUndefined();
});

test('cancelled by its own task, that was the last run', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  const cancel = every(clock, 10, () => {
    ran.push(clock.now());
    cancel();
  });
  clock.advance(100);
  expect(ran).toEqual([10]);
});

test('a task that throws, the next run comes all the same', () => {
  const clock = virtualClock();
  let runs = 0;
  every(clock, 10, () => {
    runs += 1;
    throw new Error('once');
  });
  expect(() => clock.advance(10)).toThrow('once');
  expect(() => clock.advance(10)).toThrow('once');
  expect(runs).toBe(2);
});

test('a run that comes late, one run and the next a whole period after it', () => {
  const { clock, wake } = sleeper();
  const ran: number[] = [];
  every(clock, 10, () => ran.push(clock.now()));
  wake(55);
  wake(60);
  wake(65);
  expect(ran).toEqual([55, 65]);
});

/** A clock whose machine sleeps: what is due runs only when it wakes. */
function sleeper() {
  let now = 0;
  let waiting: { due: number; task: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + ms, task };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((other) => other !== timer);
      };
    },
  };
  const wake = (at: number) => {
    now = at;
    const due = waiting.filter((timer) => timer.due <= at);
    waiting = waiting.filter((timer) => timer.due > at);
    for (const { task } of due) task();
  };
  return { clock, wake };
}
