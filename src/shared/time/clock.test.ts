import { expect, test } from 'vitest';
import { type Clock, every } from './clock.ts';
import { virtualClock } from './virtualClock.ts';

test('runs a task every 1000 ms: at 1000, 2000, …', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  every(clock, 1000, () => ran.push(clock.now()));
  clock.advance(3500);
  expect(ran).toEqual([1000, 2000, 3000]);
});

test('runs nothing after it is cancelled and leaves no timer', () => {
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

test('stops after the current run when its own task cancels it', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  const cancel = every(clock, 10, () => {
    ran.push(clock.now());
    cancel();
  });
  clock.advance(100);
  expect(ran).toEqual([10]);
});

test('continues after a task that throws', () => {
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

test('runs a late task once and the next one a full period later', () => {
  const { clock, resume } = sleepingClock();
  const ran: number[] = [];
  every(clock, 10, () => ran.push(clock.now()));
  resume(55);
  resume(60);
  resume(65);
  expect(ran).toEqual([55, 65]);
});

/** A clock of a machine that sleeps: due tasks run when it wakes up. */
function sleepingClock() {
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
  const resume = (at: number) => {
    now = at;
    const due = waiting.filter((timer) => timer.due <= at);
    waiting = waiting.filter((timer) => timer.due > at);
    for (const { task } of due) task();
  };
  return { clock, resume };
}
