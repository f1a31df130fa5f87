import { expect, test } from 'vitest';
import { every, virtualClock } from './clock.ts';

test('runs a task at the end of each interval, also after it threw', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  every(clock, 10, () => {
    ran.push(clock.now());
    if (ran.length === 1) throw new Error('once');
  });
  expect(() => clock.advance(10)).toThrow('once');
  clock.advance(20);
  expect(ran).toEqual([10, 20, 30]);
});

test('runs due tasks at their own time, in the order of time and then of scheduling, but no cancelled one, even when a task of the same moment cancelled it', () => {
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
  const cancelNext = clock.after(5, run('next'));
  cancelNext();
  clock.after(10, () => cancelLast());
  const cancelLast = clock.after(10, run('last'));
  clock.advance(100);
  cancelNext();
  expect([ran.length, ran.at(-1), clock.nextDue()]).toEqual([4, 'd at 31', undefined]);
});
