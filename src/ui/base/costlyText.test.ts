import { describe, expect, it } from 'vitest';
import { isCostlyText } from './costlyText.ts';

const HEBREW = 'שלום עולם 2026, ';

describe('isCostlyText', () => {
  it.each([
    ['a long text', 'word '.repeat(40_000)],
    ['a long right-to-left text', 'שלום עולם, '.repeat(15_000)],
    ['a text with some changes of direction', `${HEBREW}Parley `.repeat(300)],
    ['only punctuation of a right-to-left script', '،'.repeat(20_000)],
    ['letters with twenty combining marks', `a${'\u0301'.repeat(20)} `.repeat(1000)],
    ['emoji with many parts', '👩‍👩‍👧‍👦 '.repeat(2000)],
  ])('returns false for %s', (_, text) => {
    expect(isCostlyText(text)).toBe(false);
  });

  it.each([
    ['thousands of changes of direction', 'aא'.repeat(5000)],
    ['thousands of changes of direction with neutral characters between', 'a - א! '.repeat(2000)],
    ['changes of direction by digits', '1א'.repeat(2000)],
    ['changes of direction by control characters', 'a\u202Eb\u202C'.repeat(600)],
    ['a very long text without a space', '…'.repeat(20_001)],
    ['a letter with a thousand combining marks', `text a${'\u0301'.repeat(1000)}`],
  ])('returns true for %s', (_, text) => {
    expect(isCostlyText(text)).toBe(true);
  });
});
