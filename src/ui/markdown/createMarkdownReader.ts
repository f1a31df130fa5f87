import { topBlockText } from './markdownText.ts';
import { type Parsed, type TopBlock, parseMarkdown } from './parseMarkdown.ts';

/** A block, and its text as it is shown; the text is empty when nothing of the block is visible. */
interface ReadBlock {
  readonly block: TopBlock;
  readonly text: string;
}

/** Yields the blocks of a source with their texts. */
export type ReadMarkdown = (source: string, isGrowing: boolean) => Generator<ReadBlock, void>;

/**
 * Returns a function that yields the blocks of a source with their texts; the work can pause between two blocks. Of a source that continues the last one,
 * only the blocks that changed are read: reading an answer that streams takes constant time for each update.
 */
export function createMarkdownReader(): ReadMarkdown {
  const texts = new WeakMap<TopBlock, string>();
  let before: Parsed | undefined;
  return function* readMarkdown(source, isGrowing) {
    before = parseMarkdown(source, { before, isGrowing });
    for (const block of before.blocks) {
      const text = texts.get(block) ?? topBlockText(block);
      texts.set(block, text);
      yield { block, text };
    }
  };
}
