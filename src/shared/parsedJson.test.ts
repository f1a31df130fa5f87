import { expect, test } from 'vitest';
import { parsedJson } from './parsedJson.ts';

test.each([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['null', null],
  ['""', ''],
])('%s, what it says', (text, value) => {
  expect(parsedJson(text)).toEqual(value);
});

test.each(['', '{"a":', 'undefined', "{'a':1}"])('%j, no JSON: nothing', (text) => {
  expect(parsedJson(text)).toBeUndefined();
});
