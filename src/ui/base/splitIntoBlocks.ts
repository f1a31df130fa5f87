import { betweenCharacters } from '#shared/clip.ts';

/** Texts longer than this are clipped, in UTF-16 units. */
export const CLIPPED_LENGTH = 20_000;
/** Texts that are costly to lay out are clipped to this length. */
export const COSTLY_LENGTH = 1000;
/** Names and labels are clipped to this length. */
export const NAME_LENGTH = 500;

/**
 * Splits a long text into blocks of at most `length` UTF-16 units, to be shown one below the other. Cuts at the end of a line, and drops
 * that line break; cuts after a space, or else between two characters, when the block has no line break.
 */
export function splitIntoBlocks(text: string, length: number = CLIPPED_LENGTH): string[] {
  const blocks: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + length;
    if (end >= text.length) return [...blocks, text.slice(start)];
    // Searches only the block: a search in the whole text could run back to its beginning.
    const lineEnd = start + text.slice(start, end + 1).lastIndexOf('\n');
    const wordEnd = start + text.slice(start, end).lastIndexOf(' ') + 1;
    const otherwise = wordEnd > start ? wordEnd : betweenCharacters(text, end);
    const cut = lineEnd > start ? lineEnd : otherwise;
    blocks.push(text.slice(start, cut));
    start = lineEnd > start ? cut + 1 : cut;
  }
  return blocks;
}
