import { betweenCharacters } from '#shared/clip.ts';

/** Texts longer than this are clipped, in UTF-16 units. */
export const CLIPPED_LENGTH = 20_000;
/** Texts that are costly to lay out are clipped to this length. */
export const COSTLY_LENGTH = 1000;
/** Names and labels are clipped to this length. */
export const NAME_LENGTH = 500;

/**
 * A long text in blocks of at most `length`, to be laid out one under the other: cut at a line's end where there is one
 * (which then need not be drawn), else between two characters.
 */
export function blocksOf(text: string, length: number = CLIPPED_LENGTH): string[] {
  const blocks: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + length;
    if (end >= text.length) return [...blocks, text.slice(start)];
    // Of the block alone: a search from its end would reach back to the beginning of the text.
    const lineEnd = start + text.slice(start, end + 1).lastIndexOf('\n');
    const cut = lineEnd > start ? lineEnd : betweenCharacters(text, end);
    blocks.push(text.slice(start, cut));
    start = lineEnd > start ? cut + 1 : cut;
  }
  return blocks;
}
