import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '#tests/builders/property.ts';
import {
  type Vector,
  append,
  emptyVector,
  filledVector,
  itemAt,
  last,
  replaceLast,
  toArray,
  vectorOf,
  withRange,
} from './vector.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const appended = (items: readonly number[]) => items.reduce<Vector<number>>(append, emptyVector());

/** Where a leaf, the root or a whole level is full. */
const EDGES = [
  0, 1, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 1055, 1056, 1057, 1088, 2048, 32_767, 32_768,
];
const SIZES = [...EDGES, 32_769, 32_799, 32_800, 32_801, 33_825];

describe.each(SIZES)('%i items', (size) => {
  const items = numbers(size);
  const vector = vectorOf(items);

  test('made of a list or one by one, the same vector', () => {
    expect(appended(items)).toEqual(vector);
  });

  test('asked for each, for the last and for all, the items', () => {
    expect(vector.length).toBe(size);
    expect(items.map((index) => itemAt(vector, index))).toEqual(items);
    expect(last(vector)).toBe(items.at(-1));
    expect(toArray(vector)).toEqual(items);
  });

  test.each([-1, size, size + 1, size + 32])('asked at %d, undefined', (index) => {
    expect(itemAt(vector, index)).toBeUndefined();
  });

  test('one more, the old version as it was', () => {
    const longer = append(vector, -1);
    expect(toArray(longer)).toEqual([...items, -1]);
    expect(toArray(vector)).toEqual(items);
    expect(itemAt(vector, size)).toBeUndefined();
  });

  test('filled with one item has the same shape as a vector of a list', () => {
    expect(filledVector(size, 7)).toEqual(vectorOf(items.map(() => 7)));
  });

  test('through JSON, the same vector, which goes on growing', () => {
    const read: Vector<number> = JSON.parse(JSON.stringify(vector));
    expect(read).toEqual(vector);
    expect(toArray(append(read, -1))).toEqual([...items, -1]);
  });
});

test.each(SIZES.filter((size) => size > 0))('the last of %i replaced, the old version as it was', (size) => {
  const vector = appended(numbers(size));
  const other = replaceLast(vector, -1);
  expect(toArray(other)).toEqual([...numbers(size - 1), -1]);
  expect(last(vector)).toBe(size - 1);
});

test('a vector of no items, always the same reference', () => {
  expect(vectorOf([])).toBe(emptyVector());
  expect(last(emptyVector())).toBeUndefined();
});

test('an array as an item, one item', () => {
  const vector = append(append(emptyVector<readonly number[]>(), [1, 2]), [3]);
  expect(toArray(vector)).toEqual([[1, 2], [3]]);
});

describe('structure is shared', () => {
  test('an item appended to the tail, all before the tail the same reference', () => {
    const vector = vectorOf(numbers(1100));
    expect(append(vector, -1).root).toBe(vector.root);
    expect(replaceLast(vector, -1).root).toBe(vector.root);
  });

  test('an item that begins a leaf, every other leaf the same reference', () => {
    const vector = vectorOf(numbers(1024));
    const longer = append(vector, -1);
    expect(longer.root).toHaveLength(32);
    expect(longer.root.slice(0, 31).every((leaf, i) => leaf === vector.root[i])).toBe(true);
    expect(longer.root[31]).toBe(vector.tail);
  });

  test('an item that adds a level, the whole old root the same reference', () => {
    const vector = vectorOf(numbers(1056));
    const longer = append(vector, -1);
    expect(longer.depth).toBe(vector.depth + 1);
    expect(longer.root[0]).toBe(vector.root);
  });

  test('objects as items, the same references', () => {
    const items = numbers(1100).map((id) => ({ id }));
    const vector = append(vectorOf(items), { id: -1 });
    expect(items.every((item, i) => itemAt(vector, i) === item)).toBe(true);
  });
});

const step = fc.oneof(
  fc.record({ act: fc.constant('append' as const), count: fc.integer({ min: 1, max: 70 }) }),
  fc.record({ act: fc.constant('replaceLast' as const), count: fc.constant(1) }),
);

/** The first place where a version is not what it should be; quicker than an assertion over thousands of items. */
function firstDifference({ vector, model }: { vector: Vector<number>; model: number[] }): string | undefined {
  const items = toArray(vector);
  if (vector.length !== model.length || items.length !== model.length) return 'the length';
  const index = model.findIndex((value, i) => items[i] !== value || itemAt(vector, i) !== value);
  return index < 0 ? undefined : `at ${index}`;
}

test('any steps from any size, as with a plain array, and every version stays valid', () => {
  const start = fc.oneof(fc.nat(100), fc.integer({ min: 960, max: 1100 }), fc.constantFrom(32_750, 32_800));
  holds(
    fc.property(start, fc.array(step, { maxLength: 12 }), (size, steps) => {
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
          vector = replaceLast(vector, 1000 + i);
        }
        versions.push({ vector, model: model.slice() });
      }
      expect(versions.map(firstDifference)).toEqual(versions.map(() => undefined));
      expect(vectorOf(model)).toEqual(vector);
    }),
    60,
  );
});

const leaves = ({ root }: Vector<number>) => root.flat();

describe('a range', () => {
  test('of any size at any place replaces these items and no others', () => {
    const size = fc.oneof(fc.nat(100), fc.integer({ min: 960, max: 1100 }), fc.constantFrom(32_750, 32_800));
    const range = size.chain((length) => fc.tuple(fc.constant(length), fc.nat(length), fc.nat({ max: 200 })));
    holds(
      fc.property(range, ([length, from, count]) => {
        const vector = vectorOf(numbers(length));
        const items = numbers(Math.min(count, length - from)).map((n) => -1 - n);
        const model = numbers(length);
        model.splice(from, items.length, ...items);
        expect(withRange(vector, from, items)).toEqual(vectorOf(model));
        expect(firstDifference({ vector, model: numbers(length) })).toBeUndefined();
      }),
      60,
    );
  });

  test('leaves every leaf outside of it the same reference', () => {
    const vector = vectorOf(numbers(1100));
    const other = withRange(vector, 64, numbers(32));
    expect(leaves(other).filter((leaf, i) => leaf !== leaves(vector)[i])).toHaveLength(1);
    expect(other.tail).toBe(vector.tail);
  });
});
