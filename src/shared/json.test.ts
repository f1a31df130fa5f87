import { expect, test } from 'vitest';
import { tryParseJson } from './json.ts';

test.each([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['null', null],
  ['""', ''],
])('returns the value of %s', (text, value) => {
  expect(tryParseJson(text)).toEqual(value);
});

test.each(['', '{"a":', 'undefined', "{'a':1}"])('returns undefined for %j', (text) => {
  expect(tryParseJson(text)).toBeUndefined();
});
