import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest, toList } from './fifo.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const fifoOf = <T>(items: readonly T[]): Fifo<T> => items.reduce<Fifo<T>>(enqueue, emptyFifo());

test('has no oldest item while it is empty', () => {
  const one = enqueue(emptyFifo<number>(), 1);
  expect([oldest(emptyFifo()), oldest(one), oldest(dequeue(one)), oldest(dequeue(emptyFifo()))]).toEqual([
    undefined,
    1,
    undefined,
    undefined,
  ]);
});

/** Returns a queue, and weak references to its two oldest items: they are in different chunks. */
function filledFifo() {
  const large = Array.from({ length: 2 }, () => ({ text: 'x'.repeat(1000) }));
  const rest = Array.from({ length: 40 }, () => ({}));
  return { queue: fifoOf<object>([...large, ...rest]), large: large.map((item) => new WeakRef(item)) };
}

test('releases an item from memory as soon as it is removed', async () => {
  const filled = filledFifo();
  filled.queue = dequeue(dequeue(filled.queue));
  // A weak reference keeps its target alive until the task that created or read it ends.
  await pause(0);
  collectGarbage();
  expect(filled.large.map((item) => item.deref())).toEqual([undefined, undefined]);
  expect(oldest(filled.queue)).toBeDefined();
});

/** Counts the entries of the lists that a version does not share with an earlier one. */
function countCopied(before: Fifo<unknown> | null, after: Fifo<unknown> | null): number {
  if (after === before || after === null) return 0;
  const copied = [after.front, after.back].filter((list) => list !== before?.front && list !== before?.back);
  return (
    copied.reduce((sum, list) => sum + list.length, 0) + countCopied(before?.middle ?? null, after.middle)
  );
}

test('copies at most a few chunks for a change, also with 100,000 items', () => {
  let queue = fifoOf(numbers(100_000));
  const counts = numbers(2000).map((i) => {
    const before = queue;
    queue = dequeue(enqueue(queue, i));
    return countCopied(before, queue);
  });
  expect(Math.max(...counts)).toBeLessThan(8 * 32);
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(2 * 32);
});

const step = fc.oneof(
  fc.record({ act: fc.constant('enqueue' as const), times: fc.nat(2500) }),
  fc.record({ act: fc.constant('dequeue' as const), times: fc.nat(2500) }),
);

test('gives the same results as an array for any changes, also after a round trip through JSON', () => {
  checkProperty(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      let queue: Fifo<number> = emptyFifo();
      const model: number[] = [];
      let next = 0;
      for (const { act, times } of steps) {
        for (let i = 0; i < times; i++) {
          if (act === 'enqueue') {
            queue = enqueue(queue, next);
            model.push(next++);
          } else {
            queue = dequeue(queue);
            model.shift();
          }
        }
        expect(toList(queue)).toEqual(model);
        queue = JSON.parse(JSON.stringify(queue));
        expect(oldest(queue)).toBe(model[0]);
      }
    }),
    60,
  );
});

test('never changes a version', () => {
  const versions: Fifo<number>[] = [emptyFifo()];
  for (const i of numbers(200)) versions.push(enqueue(versions.at(-1) ?? emptyFifo(), i));
  const before = versions.map((version) => JSON.stringify(version));
  for (const version of versions) {
    enqueue(version, -1);
    let rest = version;
    while (oldest(rest) !== undefined) rest = dequeue(rest);
  }
  expect(versions.map((version) => JSON.stringify(version))).toEqual(before);
});
