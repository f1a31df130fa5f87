import { expect, test } from 'vitest';
import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { createBatches } from './batches.ts';

function batchesForTest() {
  const clock = virtualClock();
  const sent: [at: number, text: string][] = [];
  return { clock, sent, batches: createBatches(clock, (text) => sent.push([clock.now(), text])) };
}

test('a first text, sent at once', () => {
  const { batches, sent } = batchesForTest();
  batches.add('a');
  expect(sent).toEqual([[0, 'a']]);
});

test('a text each 7 ms for a second, all of it in order and ten times a second at most', () => {
  const { clock, batches, sent } = batchesForTest();
  const texts = Array.from({ length: 143 }, (_, i) => `${i},`);
  for (const text of texts) {
    batches.add(text);
    clock.advance(7);
  }
  clock.advance(100);
  expect(sent.map(([, text]) => text).join('')).toBe(texts.join(''));
  const times = sent.map(([at]) => at);
  expect(times.length).toBeLessThanOrEqual(12);
  times.slice(1).forEach((at, i) => expect(at - (times[i] ?? 0)).toBeGreaterThanOrEqual(100));
});

test('flushed, what waits is sent at once and not again', () => {
  const { clock, batches, sent } = batchesForTest();
  batches.add('a');
  batches.add('b');
  batches.flush();
  clock.advance(1000);
  expect(sent).toEqual([
    [0, 'a'],
    [0, 'b'],
  ]);
});

test('sends what waits before a text with which it would be too long for one message', () => {
  const { clock, batches, sent } = batchesForTest();
  batches.add('first');
  const long = 'x'.repeat(WINDOW_MESSAGE_LENGTH - 1);
  batches.add(long);
  batches.add('y');
  expect(sent).toHaveLength(1);
  batches.add('z');
  expect(sent.map(([, text]) => text.length)).toEqual([5, WINDOW_MESSAGE_LENGTH]);
  clock.advance(100);
  expect(sent.at(-1)?.[1]).toBe('z');
});
