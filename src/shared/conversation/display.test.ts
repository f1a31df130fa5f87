import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '#tests/builders/property.ts';
import { PLACEHOLDER, displayedCategory, displayedText, initialsOf, positionOf } from './display.ts';

describe('spec §2.5: positions', () => {
  test.each([
    [1, ['none']],
    [2, ['first', 'last']],
    [3, ['first', 'middle', 'last']],
    [5, ['first', 'middle', 'middle', 'middle', 'last']],
  ])('spec §2.5 grouping: %i items', (count, positions) => {
    expect(positions.map((_, index) => positionOf(index, count))).toEqual(positions);
  });

  test('spec §2.5 grouping: any number over one, one first, one last, the rest middle', () => {
    holds(
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
    ['several words, the first and the last', 'Ada Augusta King Lovelace', 'AL'],
    ['lower case, upper-cased', 'ada lovelace', 'AL'],
    ['contract §3: one word, its letter twice', 'Ada', 'AA'],
    ['spaces around and between', '  Ada   Lovelace ', 'AL'],
    ['a tab and a no-break space between', 'Ada\tKing\u00a0Lovelace', 'AL'],
    ['another script', 'лев толстой', 'ЛТ'],
    ['letters beyond the first plane', '𐐨da 𐐩ing', '𐐀𐐁'],
    ['no name', '', ''],
    ['nothing but spaces', '   ', ''],
  ])('spec §2.6 person: %s', (_, name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('spec §2.4: what is displayed', () => {
  test.each([
    ['empty', '', '...'],
    ['null', null, '...'],
    ['missing', undefined, '...'],
    ['there', 'hi', 'hi'],
    ['a space', ' ', ' '],
  ])('spec §2.4 text, contract §3 texts: a text that is %s', (_, text, displayed) => {
    expect(displayedText(text)).toBe(displayed);
    expect(PLACEHOLDER).toBe('...');
  });

  test('initials of a name of millions of characters come from its beginning and its end', () => {
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
  ])('spec §2.4 category: %s, drawn as %s', (category, displayed) => {
    expect(displayedCategory(category)).toBe(displayed);
  });
});
