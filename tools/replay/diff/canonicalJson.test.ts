import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { canonicalJson } from './canonicalJson.ts';

test.each([
  ['nested objects', { b: { d: 1, c: [] }, a: null }, '{"a":null,"b":{"c":[],"d":1}}'],
  [
    'keys by code units',
    { é: 1, Z: 1, a: 1, '😀': 1, '￿': 1, '': 1 },
    '{"":1,"Z":1,"a":1,"é":1,"😀":1,"￿":1}',
  ],
  ['a field that is undefined', { a: undefined, b: false }, '{"b":false}'],
  [
    'a lone surrogate, a control, a line separator',
    ['\uD800', '\u0007', '\u2028'],
    '["\\ud800","\\u0007","\u2028"]',
  ],
  ['numbers', [-0, 1e21, 0.1], '[0,1e+21,0.1]'],
])('encodes %s canonically', (_, value, text) => expect(canonicalJson(value)).toBe(text));

test('encodes a key named __proto__ as an ordinary field', () => {
  expect(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toBe('{"__proto__":{"b":2},"a":1}');
});

test('sorts many keys like few keys', () => {
  const keys = Array.from({ length: 40 }, (_, i) => `k${(i * 7) % 40}`);
  const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
  expect(Object.keys(JSON.parse(text))).toEqual(keys.toSorted());
});

/** Returns the same value with the fields of each object in another order. */
const shuffled = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(shuffled)
      : Object.fromEntries(
          Object.entries(value)
            .map(([key, field]) => [key, shuffled(field)])
            .toReversed(),
        );

test('encodes any value to the same text for any order of its fields, and the text has the same value', () => {
  checkProperty(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(shuffled(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
