import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { searchPattern } from './createSearch.ts';

/** Returns the hits of a text as they are written in another one. */
const hits = (wanted: string, text: string): readonly string[] => {
  const pattern = searchPattern(wanted);
  return pattern === null ? [] : Array.from(text.matchAll(pattern), ([hit]) => hit);
};

test.each([
  ['word', 'Word, WORD and sword', ['Word', 'WORD', 'word']],
  ['a.c*', 'abc a.c* a.c', ['a.c*']],
  ['\\d[1](2)$', 'x\\d[1](2)$', ['\\d[1](2)$']],
  ['aa', 'aaaaa', ['aa', 'aa']],
  ['ΣΟΦΟΣ', 'σοφος σοφός Σοφοσ', ['σοφος', 'Σοφοσ']],
  ['two words', 'two\n\t words, twowords', ['two\n\t words']],
  [' x ', 'a x  b', [' x ']],
  ['👍', '👍🏽 👍', ['👍', '👍']],
  ['שלום', 'אמר שלום לך', ['שלום']],
  ['किताब', 'यह किताब', ['किताब']],
  ['का', 'काम', ['का']],
  ['', 'text', []],
  [' \n', 'a  b', []],
])('finds %j in %j', (wanted, text, expected) => {
  expect(hits(wanted, text)).toEqual(expected);
});

const COMPOSED = ['é', 'ệ', 'Å', '한', 'が', 'ñandú'];

test.each(COMPOSED)('finds %s composed and decomposed alike', (word) => {
  const forms = [word.normalize('NFC'), word.normalize('NFD')];
  for (const wanted of forms) expect(hits(wanted, forms.join(' '))).toEqual(forms);
});

test('finds a letter with two marks in either order, and partly composed', () => {
  const forms = ['ệ', 'ê\u0323', 'ẹ\u0302', 'e\u0302\u0323', 'e\u0323\u0302'];
  expect(hits('ệ', forms.join('|'))).toEqual(forms);
});

test('does not find a letter without its mark, in any form', () => {
  expect(hits('e', 'é'.normalize('NFC') + 'é'.normalize('NFD'))).toEqual([]);
  expect(hits('하', '한'.normalize('NFC') + '한'.normalize('NFD'))).toEqual([]);
});

const compared = (one: string) => one.normalize('NFC').toLowerCase();

/** A plain search: compares composed texts in lower case. A hit does not end before a mark. */
function plainHits(wanted: string, text: string): readonly string[] {
  const [inText, inWanted] = [compared(text), compared(wanted)];
  const found: string[] = [];
  for (let at = inText.indexOf(inWanted); at !== -1;) {
    const end = at + inWanted.length;
    const isHit = !/^[\u0300-\u036F]/u.test(inText.slice(end));
    if (isHit) found.push(inText.slice(at, end));
    at = inText.indexOf(inWanted, isHit ? end : at + 1);
  }
  return found;
}

/** Texts of letters, marks, spaces and characters with a meaning in patterns. */
const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  'é',
  'e\u0301',
  'x\u0302',
  'ö',
  'O\u0308',
  '.',
  '(',
  '\\',
  '^',
  '🙂',
  ' ',
);

test('finds as many hits as a plain search in composed and decomposed texts', () => {
  const wanted = fc
    .array(letters, { minLength: 1, maxLength: 3 })
    .map((list) => list.join('').trim())
    .filter((text) => text !== '');
  const texts = fc.array(letters, { maxLength: 40 }).map((list) => list.join('').replaceAll(/ +/gu, ' '));
  checkProperty(
    fc.property(wanted, texts, fc.constantFrom('NFC', 'NFD'), (one, text, form) => {
      const found = hits(one.replaceAll(/ +/gu, ' '), text.normalize(form));
      const composed = found.map((hit) => hit.normalize('NFC').toLowerCase());
      expect(composed).toEqual(plainHits(one.replaceAll(/ +/gu, ' '), text));
    }),
  );
});

test('searches a long row of spaces in linear time', () => {
  const start = performance.now();
  expect(hits(' x', ' '.repeat(1_000_000))).toEqual([]);
  expect(hits('x y', `x${' '.repeat(1_000_000)}`)).toEqual([]);
  expect(performance.now() - start).toBeLessThan(2000);
});
