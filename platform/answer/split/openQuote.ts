import { type OpenBlock, countedLines } from './openBlock.ts';

/** A line of a quote that ends its paragraph: it is empty, or a fence. */
const NO_PARAGRAPH = /^[>\s]*(?:$|`{3}|~{3})/;

/** Opens a block quote. It ends at a blank line, or at a line without `>` that does not continue a paragraph. */
export function openQuote(): OpenBlock {
  const { lines, isLong, push } = countedLines();
  const isLazy = () => !NO_PARAGRAPH.test(lines.at(-1) ?? '');
  return {
    kind: 'quote',
    lines,
    push,
    continues: ({ kind }) =>
      !isLong() && (kind === 'quote' || ((kind === 'text' || kind === 'pipe') && isLazy())),
  };
}
