import { expect, test, vi } from 'vitest';
import { stallingClock } from '#tests/builders/stallingClock.ts';
import { watchResume, watchSilence } from './platformSocket.ts';
import { estimateMemory } from './launchSession.ts';

function withResume() {
  const [ping, terminate] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { clock, stall, pass } = stallingClock();
  return { stall, pass, terminate, watch: watchResume(clock, { ping, terminate }) };
}

test('terminates a connection when only a pong from before the resume arrives', () => {
  const { pass, terminate, watch } = withResume();
  const before = watch.mark();
  watch.onResume();
  watch.onPong(before);
  pass(2000);
  expect(terminate).toHaveBeenCalledTimes(1);
});

function withSilence() {
  const onSilent = vi.fn<() => void>();
  const clock = stallingClock();
  return { ...clock, onSilent, watch: watchSilence(clock.clock, onSilent) };
}

test('reports a peer that is silent for 10 s once', () => {
  const { pass, onSilent } = withSilence();
  pass(9950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(50);
  pass(60_000);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

test('does not report a peer whose pongs wait to be read after a stall', () => {
  const { stall, pass, watch, onSilent } = withSilence();
  pass(900);
  watch.onData();
  stall(60_000);
  watch.onData();
  pass(9950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(50);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

test('reports a peer that sent nothing during a stall one second after it', () => {
  const { stall, pass, onSilent } = withSilence();
  stall(60_000);
  pass(950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(50);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

test('measures no silence while suspended', () => {
  const { pass, watch, onSilent } = withSilence();
  pass(5000);
  watch.suspend();
  pass(60_000);
  watch.resume();
  pass(9950);
  expect(onSilent).not.toHaveBeenCalled();
  pass(1050);
  expect(onSilent).toHaveBeenCalledTimes(1);
});

const list = (count: number, item: (index: number) => string) =>
  JSON.stringify({ text: '' }).replace(
    '}',
    `,"x":[${Array.from({ length: count }, (_, i) => item(i)).join()}]}`,
  );

const short = (index: number) => (index + 100_000).toString(36);

/** Frames of each kind, and the bytes of heap of one that is decoded and waits, as measured on Node 20. */
const KINDS: readonly (readonly [string, number, (index: number) => string])[] = [
  [
    'messages',
    304,
    (i) =>
      JSON.stringify({ id: `m${i}`, modifier: 'ai', content: [{ category: 'text', text: `Hello ${i}` }] }),
  ],
  ['files', 500_172, (i) => JSON.stringify({ category: 'image', blob: `A${i}`.padEnd(500_000, 'B') })],
  ['lists of empty lists', 4_000_388, () => list(100_000, () => '[]')],
  ['lists of numbers', 3_200_468, () => list(200_000, (i) => (i % 2 === 0 ? '1.5' : 'null'))],
  ['unique keys', 5_099_528, () => list(30_000, (i) => `{"${short(i)}":0}`)],
];

test.each(KINDS)('estimates the memory of %s from above, and by at most six times', (_, used, frame) => {
  const text = frame(1);
  const estimate = estimateMemory(Buffer.from(text), text.length);
  // The measured heap also contains a few other objects.
  expect(estimate).toBeGreaterThan(used * 0.8);
  expect(estimate).toBeLessThan(used * 6);
});
