import { expect, test } from 'vitest';
import { boundedSize } from './receiveActions.ts';

test.each([
  ['texts and names', { type: 'a/b', payload: { text: 'hello' } }, 23],
  ['no value', undefined, 0],
  ['an array buffer, without its bytes', [new ArrayBuffer(1000)], 1],
])('counts %s', (_, message, size) => {
  expect(boundedSize(message, 10)).toBe(size);
});

test.each([
  ['many keys', Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`key ${at}`, at]))],
  ['many elements', Array.from({ length: 11 }, () => 0)],
  ['many values at different levels', [[1, 2, 3], [4, 5, 6], { a: { b: { c: [] } } }]],
  ['a very long array', Array.from({ length: 1_000_000 })],
  ['a binary view', new Uint8Array(5)],
])('returns `undefined` for %s', (_, message) => {
  expect(boundedSize(message, 10)).toBeUndefined();
});

test('reads no more values than the limit', () => {
  let reads = 0;
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key ${at}`, at]));
  const counted = new Proxy(keys, {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  expect(boundedSize(counted, 10)).toBeUndefined();
  expect(reads).toBeLessThanOrEqual(10);
});

test('returns `undefined` for a value that contains itself', () => {
  const ring: Record<string, unknown> = {};
  ring.ring = ring;
  expect(boundedSize(ring, 10)).toBeUndefined();
});
