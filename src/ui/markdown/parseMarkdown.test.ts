import { describe, expect, test } from 'vitest';
import { type Parsed, type TopBlock, parseMarkdown } from './parseMarkdown.ts';
import { RICH_ANSWER } from './testing/richAnswer.ts';

/** Parses a source that arrives in parts of a length; returns each version. */
function versionsOf(source: string, length: number, isGrowing = true): readonly Parsed[] {
  const versions: Parsed[] = [];
  for (let end = length; end < source.length + length; end += length)
    versions.push(parseMarkdown(source.slice(0, end), { before: versions.at(-1), isGrowing }));
  return versions;
}

const plain = ({ blocks }: Parsed) =>
  blocks.map(({ block, start, definitions }) => ({
    block,
    start,
    definitions: [Array.from(definitions.links), Array.from(definitions.notes)],
  }));

describe('a growing source', () => {
  test.each([1, 7, 64])('has the same blocks as the whole one, in parts of %i characters', (length) => {
    for (const source of [RICH_ANSWER, RICH_ANSWER.replaceAll('\n', '\r\n')]) {
      const last = versionsOf(source, length, false).at(-1);
      expect(last && plain(last)).toEqual(plain(parseMarkdown(source)));
    }
  });

  test('never changes a block after the next but one has begun, for each prefix of a rich answer', () => {
    const definitions = RICH_ANSWER.indexOf('\n---\n');
    let before: readonly TopBlock[] = [];
    for (const { blocks, source } of versionsOf(RICH_ANSWER.slice(0, definitions), 1)) {
      const finished = before.slice(0, -2);
      expect(blocks.slice(0, finished.length), source.slice(-80)).toEqual(finished);
      for (const [index, one] of finished.entries()) expect(blocks[index]).toBe(one);
      before = blocks;
    }
  });
});
