import { expect, test, vi } from 'vitest';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { watchResume } from './watchResume.ts';

function watched() {
  const [ping, cut] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { clock, stall, pass } = stallingClock();
  return { stall, pass, cut, watch: watchResume(clock, { ping, cut }) };
}

test('keeps a connection whose pong waits to be read while the event loop is stalled', () => {
  const { stall, pass, cut, watch } = watched();
  watch.onResume();
  stall(3000);
  expect(cut).not.toHaveBeenCalled();
  watch.onPong(watch.mark());
  pass(60_000);
  expect(cut).not.toHaveBeenCalled();
});

test('terminates a connection without a pong after 1 s of responsive time', () => {
  const { stall, pass, cut, watch } = watched();
  watch.onResume();
  stall(3000);
  pass(850);
  expect(cut).not.toHaveBeenCalled();
  pass(50);
  expect(cut).toHaveBeenCalledTimes(1);
});
