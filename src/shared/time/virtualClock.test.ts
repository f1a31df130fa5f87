import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { virtualClock } from './virtualClock.ts';

test('starts at 0 and runs nothing until it advances', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  clock.after(0, () => ran.push(0));
  expect([clock.now(), clock.nextDue(), ran]).toEqual([0, 0, []]);
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

test('runs a task that another task schedules within the same advance', () => {
  const clock = virtualClock();
  const ran: number[] = [];
  clock.after(10, () => clock.after(10, () => ran.push(clock.now())));
  clock.advance(20);
  expect(ran).toEqual([20]);
});

test('runs tasks late, in the order of their times, after a stall', () => {
  const clock = virtualClock();
  const ran: string[] = [];
  const run = (name: string) => () => ran.push(`${name} at ${clock.now()}`);
  clock.after(20, run('b'));
  clock.after(10, run('a'));
  clock.after(31, run('c'));
  clock.stall(30);
  expect([ran, clock.now(), clock.nextDue()]).toEqual([[], 30, 10]);
  clock.advance(1);
  expect(ran).toEqual(['a at 30', 'b at 30', 'c at 31']);
});

test('does not go back after a task that stalled it', () => {
  const clock = virtualClock();
  clock.after(10, () => clock.stall(50));
  clock.advance(20);
  expect(clock.now()).toBe(60);
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

test('makes a task with a negative delay due now', () => {
  const clock = virtualClock();
  clock.advance(50);
  clock.after(-10, () => {});
  expect(clock.nextDue()).toBe(50);
});

/** Returns the tasks that ran while the clock advanced in steps: each one's index and time. */
function runIn(moves: readonly number[], waits: readonly number[]): [number, number][] {
  const clock = virtualClock();
  const ran: [number, number][] = [];
  for (const [i, ms] of waits.entries()) clock.after(ms, () => ran.push([i, clock.now()]));
  for (const ms of moves) clock.advance(ms);
  return ran;
}

test('runs the same tasks when it advances in steps as when it advances at once', () => {
  const delays = fc.array(fc.nat(100), { maxLength: 20 });
  const steps = fc.array(fc.nat(40), { minLength: 1, maxLength: 10 });
  checkProperty(
    fc.property(delays, steps, (waits, moves) => {
      const total = moves.reduce((sum, ms) => sum + ms, 0);
      const ran = runIn(moves, waits);
      expect(ran).toEqual(runIn([total], waits));
      expect(ran.length).toBe(waits.filter((ms) => ms <= total).length);
      expect(ran.every(([i, at]) => at === waits[i])).toBe(true);
    }),
  );
});
