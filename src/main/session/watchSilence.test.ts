import { expect, test, vi } from 'vitest';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { watchSilence } from './platformSocket.ts';

function watched() {
  const onSilent = vi.fn<() => void>();
  const clock = stallingClock();
  return { ...clock, onSilent, watch: watchSilence(clock.clock, onSilent) };
}

test('reports a peer that is silent for 10 s once', () => {
  const { pass, onSilent } = watched();
  pass(9950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(50);
  pass(60_000);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

test.each([10_000, 10_100, 60_000])(
  'does not report a peer whose pongs wait to be read after a stall of %i ms',
  (ms) => {
    const { stall, pass, watch, onSilent } = watched();
    pass(900);
    watch.onData();
    stall(ms);
    watch.onData();
    pass(9950);
    expect(onSilent).not.toHaveBeenCalled();
    pass(50);
    expect(onSilent).toHaveBeenCalledTimes(1);
  },
);

test('does not report a peer whose pong waits to be read after a stall at the end of the 10 s', () => {
  const { stall, pass, watch, onSilent } = watched();
  pass(9500);
  stall(2000);
  watch.onData();
  pass(5000);
  expect(onSilent).not.toHaveBeenCalled();
});

test('reports a peer that sent nothing during a stall one second after it', () => {
  const { stall, pass, onSilent } = watched();
  stall(60_000);
  pass(950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(50);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

test('measures no silence while suspended', () => {
  const { pass, watch, onSilent } = watched();
  watch.suspend();
  pass(60_000);
  watch.resume();
  pass(9950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(1050);
  expect(onSilent).toHaveBeenCalledTimes(1);
});
