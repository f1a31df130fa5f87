import { array, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { safeFileName } from './safeFileName.ts';

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
    ['Grüße aus Köln.pdf', 'Grüße aus Köln.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\temp\\a.txt', 'C__temp_a.txt'],
    ['invoice\u202Efdp.exe', 'invoiceU+202Efdp.exe'],
    ['pay\u200Bpal.txt', 'payU+200Bpal.txt'],
    ['tag\u{E0041}.txt', 'tagU+E0041.txt'],
    ['note\uFFF9.txt', 'noteU+FFF9.txt'],
    ['\uD800.txt', 'U+D800.txt'],
    ['❤\uFE0F.png', '❤\uFE0F.png'],
    ['a\uFE0F.png', 'aU+FE0F.png'],
    ['.bashrc', 'bashrc'],
    ['trailing. . ', 'trailing'],
    ['CON.txt', '_CON.txt'],
    ['con .txt', '_con .txt'],
    ['CONIN$', '_CONIN$'],
    ['conout$ .log', '_conout$ .log'],
    ['com¹.txt', '_com¹.txt'],
    ['LPT³', '_LPT³'],
    ['context.txt', 'context.txt'],
    ['a\u0000b\nc', 'aU+0000bU+000Ac'],
    ['...', 'file'],
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
