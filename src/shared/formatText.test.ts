import { expect, test, it } from 'vitest';
import { clip, formatBacklog } from './formatText.ts';
import { safeFileName } from './safeFileName.ts';
import { tryParseJson } from './json.ts';

test.each([
  ['returns a text that fits', 'hello', 'hello'],
  ['cuts a longer text and adds an ellipsis', 'hello!', 'hello…'],
  ['leaves out a character that does not fit completely', 'abcd👋x', 'abcd…'],
  ['keeps a character that ends at the limit', 'abc👋x', 'abc👋…'],
])('%s', (_, text, clipped) => expect(clip(text, 5)).toBe(clipped));

test.each([
  [1, '1 update waiting, about 1 s'],
  [25, '25 updates waiting, about 3 s'],
  [600, '600 updates waiting, about 1 min 0 s'],
  [9360, '9,360 updates waiting, about 15 min 36 s'],
  [100_000, '100,000 updates waiting, about 2 h 46 min'],
])('returns how long %i updates wait', (updates, text) => expect(formatBacklog(updates)).toBe(text));

it.each([
  ['notes.txt', 'notes.txt'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\temp\\a.txt', 'C__temp_a.txt'],
  ['❤\uFE0F.png', '❤\uFE0F.png'],
  ['trailing. . ', 'trailing'],
  ['CON.txt', '_CON.txt'],
  ['com¹.txt', '_com¹.txt'],
  ['', 'file'],
  [`${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(57)}.gz`],
  [`${'a'.repeat(58)}. ${'b'.repeat(40)}`, 'a'.repeat(58)],
])('safeFileName turns %j into %j', (name, safe) => expect(safeFileName(name)).toBe(safe));

it('safeFileName keeps the beginning and the extension of a name of millions of characters', () => {
  expect(safeFileName(`a${' '.repeat(5_000_000)}x.${'b'.repeat(5_000_000)}.txt`)).toMatch(/^a .*\.txt$/u);
});

test.each<[string, unknown]>([
  ['{"a":[1,null]}', { a: [1, null] }],
  ['null', null],
  ['""', ''],
  ...['', '{"a":', 'undefined', "{'a':1}"].map((text): [string, unknown] => [text, undefined]),
])('parses %j to %j', (text, value) => expect(tryParseJson(text)).toEqual(value));
