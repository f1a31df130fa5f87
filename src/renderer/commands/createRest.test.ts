import { expect, test, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { REST_MS } from '#shared/limits.ts';
import { createRest } from './createRest.ts';

function start() {
  const clock = virtualClock();
  return { clock, rest: createRest(clock), first: vi.fn<() => void>(), last: vi.fn<() => void>() };
}

test('runs the last of several tasks, once, when no other one has followed for 300 ms', () => {
  const { clock, rest, first, last } = start();
  rest.after(first);
  clock.advance(REST_MS - 1);
  rest.after(last);
  clock.advance(REST_MS - 1);
  expect(last).not.toHaveBeenCalled();
  clock.advance(1 + 2 * REST_MS);
  expect([first, last].map((task) => task.mock.calls.length)).toEqual([0, 1]);
});

test('runs the waiting task before what follows it, and not again', () => {
  const { clock, rest, last } = start();
  rest.after(last);
  rest.now();
  expect(last).toHaveBeenCalledOnce();
  rest.now();
  clock.advance(REST_MS);
  expect(last).toHaveBeenCalledOnce();
});
