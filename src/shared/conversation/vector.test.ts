import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { type Vector, emptyVector, itemAt, last, toArray, vectorOf } from './vector.ts';
import { append, changeLast, withRange } from './vector.ts';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { type Fifo, dequeue, emptyFifo, enqueue, oldest, toList } from '../fifo.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('returns the same reference for every empty vector, and keeps the leaves that an appended item or a range leaves as they are', () => {
  expect(vectorOf([])).toBe(emptyVector());
  expect(last(emptyVector())).toBeUndefined();
  expect(changeLast(emptyVector(), () => 1)).toBe(emptyVector());
  const vector = vectorOf(numbers(1024));
  const longer = append(vector, -1);
  expect(longer.root).toHaveLength(32);
  expect(longer.root.slice(0, 31).every((leaf, i) => leaf === vector.root[i])).toBe(true);
  expect(longer.root[31]).toEqual([...vector.tail, last(vector)]);
  const before = vectorOf(numbers(1100));
  const after = withRange(before, 64, numbers(32));
  const leaves = before.root.flat();
  expect(after.root.flat().filter((leaf, i) => leaf !== leaves[i])).toHaveLength(1);
  expect(after.tail).toBe(before.tail);
});

const step = fc.record({
  act: fc.constantFrom('append', 'changeLast'),
  count: fc.integer({ min: 1, max: 70 }),
});

/** Returns the first index at which a version differs from the expected items. Faster than an assertion over thousands of items. */
function firstDifference({ vector, model }: { vector: Vector<number>; model: number[] }): string | undefined {
  const items = toArray(vector);
  if (vector.length !== model.length || items.length !== model.length) return 'the length';
  const index = model.findIndex((value, i) => items[i] !== value || itemAt(vector, i) !== value);
  return index < 0 ? undefined : `at ${index}`;
}

/** Numbers of items, also at the limits of a leaf, of its parents and of theirs. */
const anySize = fc.oneof(fc.nat(100), fc.integer({ min: 960, max: 1100 }), fc.constantFrom(32_750, 32_800));

test('gives the same results as an array for any operations, and every version stays valid', () => {
  checkAll(15, [anySize, fc.array(step, { maxLength: 12 })], (size, steps) => {
    const model = numbers(size);
    let vector = vectorOf(model.slice());
    const versions = [{ vector, model: model.slice() }];
    for (const [i, { act, count }] of steps.entries()) {
      if (act === 'append') {
        for (let n = 0; n < count; n++) {
          model.push(-n);
          vector = append(vector, -n);
        }
      } else if (model.length > 0) {
        model[model.length - 1] = 1000 + i;
        vector = changeLast(vector, () => 1000 + i);
      }
      versions.push({ vector, model: model.slice() });
    }
    expect(versions.map(firstDifference)).toEqual(versions.map(() => undefined));
    expect(vectorOf(model)).toEqual(vector);
  });
});

test('a range replaces exactly its items, at any index and of any length', () => {
  const range = anySize.chain((length) =>
    fc.tuple(fc.constant(length), fc.nat(length), fc.nat({ max: 200 })),
  );
  checkAll(15, [range], ([length, from, count]) => {
    const vector = vectorOf(numbers(length));
    const items = numbers(Math.min(count, length - from)).map((n) => -1 - n);
    const model = numbers(length);
    model.splice(from, items.length, ...items);
    expect(withRange(vector, from, items)).toEqual(vectorOf(model));
    expect(firstDifference({ vector, model: numbers(length) })).toBeUndefined();
  });
});

/** Returns a queue, and weak references to its two oldest items: they are in different chunks. */
function filledFifo() {
  const large = Array.from({ length: 2 }, () => ({ text: 'x'.repeat(1000) }));
  const rest = Array.from({ length: 40 }, () => ({}));
  const queue = [...large, ...rest].reduce<Fifo<object>>(enqueue, emptyFifo());
  return { queue, large: large.map((item) => new WeakRef(item)) };
}

test('releases an item from memory as soon as it is removed', async () => {
  const filled = filledFifo();
  filled.queue = dequeue(dequeue(filled.queue));
  // A weak reference keeps its target alive until the task that created or read it ends.
  await setImmediate();
  collectGarbage();
  expect(filled.large.map((item) => item.deref())).toEqual([undefined, undefined]);
  expect(oldest(filled.queue)).toBeDefined();
});

const fifoStep = fc.record({ act: fc.constantFrom('enqueue', 'dequeue'), times: fc.nat(300) });

test('gives the same results as an array for any changes, also after a round trip through JSON', () => {
  checkAll(40, [fc.array(fifoStep, { maxLength: 15 })], (steps) => {
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
  });
});
