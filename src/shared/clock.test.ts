import { expect, test } from 'vitest';
import { type Clock, every, virtualClock, systemClock } from './clock.ts';

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

test('returns the machine’s monotonic time, schedules a task with its timers and cancels it there', () => {
  const { source, timers, setNow } = machine();
  const clock = systemClock(source);
  setNow(17.25);
  expect(clock.now()).toBe(17.25);
  const cancel = clock.after(30, doNothing);
  clock.after(40, doNothing);
  expect(timers.get(0)).toEqual({ task: doNothing, ms: 30 });
  cancel();
  expect(Array.from(timers.values(), ({ ms }) => ms)).toEqual([40]);
});

test('runs due tasks at their own time, in the order of time and then of scheduling', () => {
  const clock = virtualClock();
  const ran: string[] = [];
  const run = (name: string) => () => ran.push(`${name} at ${clock.now()}`);
  clock.after(20, run('c'));
  clock.after(10, run('a'));
  clock.after(10, run('b'));
  clock.after(31, run('d'));
  clock.advance(30);
  expect(ran).toEqual(['a at 10', 'b at 10', 'c at 20']);
  expect([clock.now(), clock.nextDue()]).toEqual([30, 31]);
});

test('does not run a cancelled task, even when a task of the same moment cancelled it', () => {
  const clock = virtualClock();
  const ran: string[] = [];
  clock.after(10, () => cancelSecond());
  const cancelSecond = clock.after(10, () => ran.push('second'));
  const cancelThird = clock.after(5, () => ran.push('third'));
  cancelThird();
  clock.advance(100);
  cancelThird();
  expect(ran).toEqual([]);
  expect(clock.nextDue()).toBeUndefined();
});
