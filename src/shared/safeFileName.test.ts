import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName } from './safeFileName.ts';

describe('safeFileName', () => {
  it.each([
    ['notes.txt', 'notes.txt'],
    ['Grüße aus Köln.pdf', 'Grüße aus Köln.pdf'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\temp\\a.txt', 'C__temp_a.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['.bashrc', 'bashrc'],
    ['trailing. . ', 'trailing'],
    ['CON.txt', '_CON.txt'],
    ['a\u0000b\nc', 'abc'],
    ['...', 'file'],
    ['', 'file'],
    [`${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(57)}.gz`],
  ])('%j, %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('any name, a short name without folders that stays as it is', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 400 }), (name) => {
        const safe = safeFileName(name);
        expect(safe).not.toMatch(/[/\\]|^\.|^$/u);
        expect(Array.from(safe).length).toBeLessThanOrEqual(61);
      }),
    );
  });
});
