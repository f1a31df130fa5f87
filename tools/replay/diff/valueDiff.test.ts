import { expect, test } from 'vitest';
import { fieldPath, itemPath, keysOf, valueAt } from './valueDiff.ts';

test('formats the path of a field and an item like code', () => {
  expect(fieldPath(itemPath(fieldPath('', 'messages'), 3), 'context')).toBe('messages[3].context');
});

test.each(['a b', 'c[0]', 'x.y', '', '9', 'quote"s', 'back\\slash'])(
  'writes and reads the path of %j, which is not a plain name',
  (key) => {
    const path = fieldPath('messages[0]', key);
    expect(keysOf(path)).toEqual(['messages', '0', key]);
  },
);

test('finds only own fields', () => {
  const state: unknown = JSON.parse('{"a":{"__proto__":{"b":1}}}');
  expect(valueAt(state, 'a.__proto__.b')).toBe(1);
  expect(valueAt(state, 'a.constructor')).toBeUndefined();
  expect(valueAt(state, 'a.nothing.here')).toBeUndefined();
});
