import * as fc from 'fast-check';
import { array, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test, describe, it } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { clip, formatBacklog } from './formatText.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { safeFileName } from './safeFileName.ts';
import { tryParseJson } from './json.ts';

test.each([
  ['returns a text that fits', 'hello', 'hello'],
  ['cuts a longer text and adds an ellipsis', 'hello!', 'hello…'],
  ['leaves out a character that does not fit completely', 'abcd👋x', 'abcd…'],
  ['keeps a character that ends at the limit', 'abc👋x', 'abc👋…'],
])('%s', (_, text, clipped) => {
  expect(clip(text, 5)).toBe(clipped);
});

test('never splits a surrogate pair, and keeps all characters that fit', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '👋', '𝒳') });
  checkProperty(
    fc.property(texts, fc.nat({ max: 20 }), (text, length) => {
      const clipped = clip(text, length);
      expect(clipped.isWellFormed()).toBe(true);
      expect(text.startsWith(clipped.replace(/…$/u, ''))).toBe(true);
      expect(clipped.length).toBeGreaterThanOrEqual(Math.min(text.length, length));
      expect(clipped.length).toBeLessThanOrEqual(length + 1);
    }),
  );
});

test.each([
  [1, '1 update waiting, about 1 s'],
  [25, '25 updates waiting, about 3 s'],
  [600, '600 updates waiting, about 1 min 0 s'],
  [9360, '9,360 updates waiting, about 15 min 36 s'],
  [100_000, '100,000 updates waiting, about 2 h 46 min'],
])('returns how long %i updates wait', (updates, text) => {
  expect(formatBacklog(updates)).toBe(text);
});

/** Returns the device that Windows opens for a name: the part before the first dot, without trailing spaces. */
const deviceOf = (name: string) => name.split('.')[0]?.trimEnd().toUpperCase() ?? '';
const DIGITS = Array.from('0123456789¹²³');
const DEVICES = ['CON', 'PRN', 'AUX', 'NUL', 'CONIN$', 'CONOUT$'].concat(
  DIGITS.flatMap((digit) => [`COM${digit}`, `LPT${digit}`]),
);
const INVISIBLE = [
  '\u202E',
  '\u2066',
  '\u200B',
  '\u200D',
  '\uFEFF',
  '\u00AD',
  '\u061C',
  '\u3164',
  '\u{E0041}',
  '\u0000',
];

describe('safeFileName', () => {
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
  ])('turns %j into %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('keeps the beginning and the extension of a name of millions of characters', () => {
    expect(safeFileName(`a${' '.repeat(5_000_000)}x.${'b'.repeat(5_000_000)}.txt`)).toMatch(/^a .*\.txt$/u);
  });

  it('turns any name into a short name without invisible characters that every system accepts', () => {
    const part = oneof(
      string({ unit: codePoint, maxLength: 30 }),
      constantFrom(
        ...DEVICES,
        ...DEVICES.map((name) => name.toLowerCase()),
        ...INVISIBLE,
        ' ',
        '.',
        '/',
        '.txt',
      ),
    );
    checkProperty(
      property(array(part, { maxLength: 8 }), (parts) => {
        const safe = safeFileName(parts.join(''));
        expect(safe).not.toMatch(/[<>:"/\\|?*]|^[\s.]|[\s.]$|^$/u);
        expect(safe.replaceAll(/(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]/gu, '')).not.toMatch(
          /\p{C}(?<!\p{Co}|\p{Cn})|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]/u,
        );
        expect(DEVICES).not.toContain(deviceOf(safe));
        expect(Array.from(safe).length).toBeLessThanOrEqual(61);
      }),
    );
  });
});

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
