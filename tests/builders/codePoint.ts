import * as fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 } as const;

/** Returns the character at an index, which counts no surrogates. */
const characterAt = (index: number) =>
  String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count);

function indexOf(character: unknown): number {
  if (typeof character !== 'string' || !/^\P{Surrogate}$/u.test(character))
    throw new Error('This is not one character.');
  const code = character.codePointAt(0) ?? 0;
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}

/** The unit of strings of any Unicode characters: as fast-check's `binary` unit, which takes a second to build a table. */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - SURROGATES.count })
  .map(characterAt, indexOf);
