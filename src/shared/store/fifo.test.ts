import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/property.ts';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { fifo } from './fifo.ts';

test('returns undefined while it is empty', () => {
  const queue = fifo<number>();
  expect([queue.peek(), queue.shift(), queue.shift(), queue.peek()]).toEqual(Array(4).fill(undefined));
  queue.push(1);
  expect([queue.peek(), queue.shift(), queue.shift()]).toEqual([1, 1, undefined]);
});

test('releases an item from memory as soon as it is shifted', async () => {
  const queue = fifo<object>();
  const fill = () => {
    const large = { text: 'x'.repeat(1000) };
    queue.push(large);
    for (let i = 0; i < 10; i++) queue.push({});
    return new WeakRef(large);
  };
  const large = fill();
  queue.shift();
  // A weak reference keeps its target alive until the task that created or read it ends.
  await pause(0);
  collectGarbage();
  expect(large.deref()).toBeUndefined();
  expect(queue.peek()).toBeDefined();
});

const step = fc.oneof(
  fc.record({ act: fc.constant('push' as const), times: fc.nat(2500) }),
  fc.record({ act: fc.constant('shift' as const), times: fc.nat(2500) }),
  { weight: 1, arbitrary: fc.constant({ act: 'clear' as const, times: 1 }) },
);

test('gives the same results as an array for any pushes, shifts and clears', () => {
  checkProperty(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const queue = fifo<number>();
      let model: number[] = [];
      const differences: string[] = [];
      let next = 0;
      for (const { act, times } of steps) {
        if (act === 'clear') {
          queue.clear();
          model = [];
        }
        const pushes = act === 'push' ? times : 0;
        for (let i = 0; i < pushes; i++) {
          queue.push(next);
          model.push(next++);
        }
        const taken = model.splice(0, act === 'shift' ? times : 0);
        for (const item of taken) if (queue.shift() !== item) differences.push(`${act} ${item}`);
        if (queue.peek() !== model[0]) differences.push(`peek after ${act}`);
      }
      expect(differences).toEqual([]);
      expect(queue.shift()).toBe(model[0]);
    }),
    100,
  );
});
