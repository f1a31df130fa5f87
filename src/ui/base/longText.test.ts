import { describe, expect, it } from 'vitest';
import { isCostlyText, splitIntoBlocks } from './longText.ts';

describe('splitIntoBlocks', () => {
  it('cuts at the end of a line', () => {
    expect(splitIntoBlocks('one\ntwo\nthree', 8)).toEqual(['one\ntwo', 'three']);
  });

  it('cuts after a space when there is no line end', () => {
    expect(splitIntoBlocks('one two three', 6)).toEqual(['one ', 'two ', 'three']);
  });

  it('cuts between characters when there is no line end and no space, and loses nothing', () => {
    expect(splitIntoBlocks('aaaa👋bbbb👋c', 5)).toEqual(['aaaa', '👋bbb', 'b👋c']);
  });

  it('cuts a line of 20,000,000 characters within seconds', () => {
    expect(splitIntoBlocks('a'.repeat(20_000_000))).toHaveLength(1000);
  });

  it('terminates when a text begins with a line end', () => {
    expect(splitIntoBlocks('\nabcdef', 3)).toEqual(['\nab', 'cde', 'f']);
  });
});

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
