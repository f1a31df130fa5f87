import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocksOf.ts';

describe('blocksOf', () => {
  it('cuts at the end of a line', () => {
    expect(blocksOf('one\ntwo\nthree', 8)).toEqual(['one\ntwo', 'three']);
  });

  it('cuts between characters when there is no line end, and loses nothing', () => {
    expect(blocksOf('aaaa👋bbbb👋c', 5)).toEqual(['aaaa', '👋bbb', 'b👋c']);
  });

  it('cuts a line of 20,000,000 characters within seconds', () => {
    expect(blocksOf('a'.repeat(20_000_000))).toHaveLength(1000);
  });

  it('terminates when a text begins with a line end', () => {
    expect(blocksOf('\nabcdef', 3)).toEqual(['\nab', 'cde', 'f']);
  });
});
