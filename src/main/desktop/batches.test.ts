import { virtualClock } from '#shared/clock.ts';
import { expect, test } from 'vitest';
import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import { createBatches } from './setUpInspector.ts';

function batchesForTest() {
  const clock = virtualClock();
  const sent: [at: number, text: string][] = [];
  return { clock, sent, batches: createBatches(clock, (text) => sent.push([clock.now(), text])) };
}

test('sends the first text at once', () => {
  const { batches, sent } = batchesForTest();
  batches.add('a');
  expect(sent).toEqual([[0, 'a']]);
});

test('sends a text per 7 ms in order, at most ten times a second', () => {
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

test('sends the waiting text once when it is flushed', () => {
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

test('sends the waiting text before a text that would make the message too long', () => {
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
