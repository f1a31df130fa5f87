import { describe, expect, it } from 'vitest';
import { splitIntoBlocks } from './splitIntoBlocks.ts';

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
