import { expect, test, vi } from 'vitest';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { watchResume } from './platformSocket.ts';

function watched() {
  const [ping, terminate] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { clock, stall, pass } = stallingClock();
  return { stall, pass, terminate, watch: watchResume(clock, { ping, terminate }) };
}

test('keeps a connection whose pong waits to be read while the event loop is stalled', () => {
  const { stall, pass, terminate, watch } = watched();
  watch.onResume();
  stall(3000);
  expect(terminate).not.toHaveBeenCalled();
  watch.onPong(watch.mark());
  pass(60_000);
  expect(terminate).not.toHaveBeenCalled();
});

test('terminates a connection without a pong after 1 s of responsive time', () => {
  const { stall, pass, terminate, watch } = watched();
  watch.onResume();
  stall(3000);
  pass(850);
  expect(terminate).not.toHaveBeenCalled();
  pass(50);
  expect(terminate).toHaveBeenCalledTimes(1);
});
