import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { PLACEHOLDER, displayedCategory, displayedText, initialsOf, positionOf } from './display.ts';

describe('spec §2.5: positions', () => {
  test.each([
    [1, ['none']],
    [2, ['first', 'last']],
    [3, ['first', 'middle', 'last']],
    [5, ['first', 'middle', 'middle', 'middle', 'last']],
  ])('spec §2.5 grouping: returns the positions of %i items', (count, positions) => {
    expect(positions.map((_, index) => positionOf(index, count))).toEqual(positions);
  });

  test('spec §2.5 grouping: several items have one first, one last and otherwise middle positions', () => {
    checkProperty(
      fc.property(fc.integer({ min: 2, max: 500 }), (count) => {
        const positions = Array.from({ length: count }, (_, index) => positionOf(index, count));
        expect([positions.at(0), positions.at(-1)]).toEqual(['first', 'last']);
        expect(positions.slice(1, -1).every((position) => position === 'middle')).toBe(true);
      }),
      50,
    );
  });
});

describe('spec §2.6: initials', () => {
  test.each([
    ['two words', 'Ada Lovelace', 'AL'],
    ['several words', 'Ada Augusta King Lovelace', 'AL'],
    ['lower case', 'ada lovelace', 'AL'],
    ['contract §3: one word', 'Ada', 'AA'],
    ['spaces around and between', '  Ada   Lovelace ', 'AL'],
    ['a tab and a no-break space between', 'Ada\tKing\u00a0Lovelace', 'AL'],
    ['another script', 'лев толстой', 'ЛТ'],
    ['letters outside the Basic Multilingual Plane', '𐐨da 𐐩ing', '𐐀𐐁'],
    ['empty', '', ''],
    ['only spaces', '   ', ''],
    ['punctuation before the letters', '(Ada) “Lovelace”', 'AL'],
    ['digits before a letter', 'Ada 2nd', 'AN'],
    ['a last word without a letter', 'Ada Lovelace 🙂 (2)', 'AL'],
    ['only digits and signs', '42 – !', ''],
  ])('spec §2.6 person: returns the initials of a name: %s', (_, name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('spec §2.4: displayed texts and categories', () => {
  test.each([
    ['empty', '', '...'],
    ['null', null, '...'],
    ['missing', undefined, '...'],
    ['not empty', 'hi', 'hi'],
    ['a space', ' ', ' '],
  ])('spec §2.4 text, contract §3 texts: returns the displayed text when it is %s', (_, text, displayed) => {
    expect(displayedText(text)).toBe(displayed);
    expect(PLACEHOLDER).toBe('...');
  });

  test('takes the initials of a name of millions of characters from its beginning and its end', () => {
    expect(initialsOf(`ada ${'x '.repeat(2_000_000)} king`)).toBe('AK');
    expect(initialsOf(`a${'x'.repeat(4_000_000)}`)).toBe('AA');
  });

  test.each([
    ['text', 'text'],
    ['audio', 'audio'],
    ['html', 'html'],
    ['image', 'image'],
    ['file', 'file'],
    ['pdf', 'file'],
    ['', 'file'],
    ['TEXT', 'file'],
    ['constructor', 'file'],
    [undefined, 'file'],
  ])('spec §2.4 category: displays %j as %s', (category, displayed) => {
    expect(displayedCategory(category)).toBe(displayed);
  });
});
