import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocksOf.ts';

describe('blocksOf', () => {
  it('lines, cut where a line ends', () => {
    expect(blocksOf('one\ntwo\nthree', 8)).toEqual(['one\ntwo', 'three']);
  });

  it('no line ends, cut between characters and nothing lost', () => {
    expect(blocksOf('aaaa👋bbbb👋c', 5)).toEqual(['aaaa', '👋bbb', 'b👋c']);
  });

  it('cuts a line of 20,000,000 characters within seconds', () => {
    expect(blocksOf('a'.repeat(20_000_000))).toHaveLength(1000);
  });

  it('a line end first of all, still ends', () => {
    expect(blocksOf('\nabcdef', 3)).toEqual(['\nab', 'cde', 'f']);
  });
});
