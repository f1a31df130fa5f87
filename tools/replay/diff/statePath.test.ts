import { expect, test } from 'vitest';
import { fieldPath, itemPath, keysOf, valueAt } from './statePath.ts';

test('a field and an item, the path reads as code would', () => {
  expect(fieldPath(itemPath(fieldPath('', 'messages'), 3), 'context')).toBe('messages[3].context');
});

test.each(['a b', 'c[0]', 'x.y', '', '9', 'quote"s', 'back\\slash'])(
  'the key %j is no plain name, the path leads back to it',
  (key) => {
    const path = fieldPath('messages[0]', key);
    expect(keysOf(path)).toEqual(['messages', '0', key]);
  },
);

test('a key named as part of every object, only an own field is found', () => {
  const state: unknown = JSON.parse('{"a":{"__proto__":{"b":1}}}');
  expect(valueAt(state, 'a.__proto__.b')).toBe(1);
  expect(valueAt(state, 'a.constructor')).toBeUndefined();
  expect(valueAt(state, 'a.nothing.here')).toBeUndefined();
});
