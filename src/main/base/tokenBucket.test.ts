import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { createTokenBucket, createPacedTasks } from './tokenBucket.ts';

test('accepts a burst, then the rate', () => {
  const clock = virtualClock();
  const bucket = createTokenBucket({ burst: 10, perSecond: 2 }, clock);
  const accepted = () => Array.from({ length: 20 }, () => bucket.take(1)).filter(Boolean).length;
  expect(accepted()).toBe(10);
  expect(bucket.isEmpty()).toBe(true);
  clock.advance(1500);
  expect(accepted()).toBe(3);
  clock.advance(1e6);
  expect(accepted()).toBe(10);
});

/** Creates tasks that cost 10; `endTurn` runs what waits for the end of main's turn. */
function start() {
  const clock = virtualClock();
  const deferred: (() => void)[] = [];
  const { run } = createPacedTasks({
    rate: { burst: 40, perSecond: 10 },
    waiting: 5,
    clock,
    defer: (task) => void deferred.push(task),
  });
  const done: string[] = [];
  return {
    clock,
    done,
    run: (name: string) =>
      run(() => {
        done.push(name);
        return 10;
      }),
    endTurn: () => deferred.splice(0).forEach((task) => task()),
  };
}

test('runs the first task at once, and one in each turn of main after that', () => {
  const { run, done, endTurn } = start();
  expect(['a', 'b', 'c'].map(run)).toEqual([true, true, true]);
  expect(done).toEqual(['a']);
  endTurn();
  expect(done).toEqual(['a', 'b']);
  endTurn();
  endTurn();
  run('d');
  expect(done).toEqual(['a', 'b', 'c', 'd']);
});

test('lets tasks wait while they exceed the rate, loses none, and refuses others when too many wait', () => {
  const { run, done, endTurn, clock } = start();
  expect(Array.from('abcdefgh', run)).toEqual([true, true, true, true, true, true, false, false]);
  for (let turn = 0; turn < 10; turn++) endTurn();
  expect(done.join('')).toBe('abcd');
  clock.advance(1000);
  for (let turn = 0; turn < 10; turn++) endTurn();
  expect(done.join('')).toBe('abcde');
  for (let second = 0; second < 10; second++) {
    clock.advance(1000);
    endTurn();
  }
  expect(done.join('')).toBe('abcdef');
});
