import { expect, test } from 'vitest';
import { decodeText, firstLines, inlineText } from './FileText.tsx';

const bytes = (...list: number[]) => new Uint8Array(list);

test.each<[string, number[], string | null]>([
  ['text in UTF-8', [72, 195, 169, 10, 9, 33], 'Hé\n\t!'],
  ['text after a byte order mark', [0xef, 0xbb, 0xbf, 72], 'H'],
  ['an empty file', [], ''],
  ['bytes that are not UTF-8', [72, 255, 72], null],
  ['bytes with a zero', [72, 0, 72], null],
  ['a PDF', Array.from('%PDF-1.4', (one) => one.charCodeAt(0)), null],
  ['a character that is cut at the end', [72, 195], null],
])('reads %s', (_, list, expected) => {
  expect(decodeText(bytes(...list), true)).toBe(expected);
});

test('reads the beginning of a text that is cut within a character', () => {
  expect(decodeText(bytes(72, 195), false)).toBe('H');
});

test.each([
  ['a short file', 'one\ntwo', { most: 100, text: 'one\ntwo', isWhole: true }],
  ['the beginning of a longer one', 'abc'.repeat(10), { most: 3, text: 'abc', isWhole: false }],
])('reads %s from base64', (_, text, expected) => {
  expect(inlineText(btoa(text), expected.most)).toEqual(expected);
});

test('reads no text from what is not base64', () => {
  expect(inlineText('*', 100)).toBe(null);
});

test.each([
  ['a short text', 'one\n\ntwo\n', 'one\n\ntwo'],
  ['six of many lines', 'a\n'.repeat(9), 'a\na\na\na\na\na'],
  ['the beginning of a long line', 'x'.repeat(2000), `${'x'.repeat(400)}…`],
  [
    'the beginning of long lines',
    `${'x'.repeat(300)}\n${'y'.repeat(300)}`,
    `${'x'.repeat(300)}\n${'y'.repeat(99)}…`,
  ],
])('shows %s first', (_, text, expected) => {
  expect(firstLines(text)).toBe(expected);
});
