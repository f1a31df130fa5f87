import { parseInline } from './parseInline.ts';
import { type TopBlock, parseMarkdown } from './parseMarkdown.ts';
import { type Block, type Definitions, type Inline, NO_DEFINITIONS, codeText } from './syntax.ts';

/**
 * Returns the text of Markdown as it is shown: what is searched and copied. A formula is its source. Blocks, lines, and cells are separated by one line
 * break, as the text nodes that `Markdown` draws are by `markupParts`.
 */
export const markdownText = (source: string): string =>
  joinTexts(parseMarkdown(source).blocks.map(topBlockText));

/** Returns the text of a block of the outermost level; it is empty when nothing of the block is visible. */
export const topBlockText = ({ block, definitions }: TopBlock): string =>
  joinTexts(partsOf(block, definitions));

/** Returns the text of each item of a run: of the blocks that begin in it. `starts` is where each item begins in the source. */
export function itemTexts(source: string, starts: readonly number[]): readonly string[] {
  const texts: string[][] = starts.map(() => []);
  let item = 0;
  for (const block of parseMarkdown(source).blocks) {
    while ((starts[item + 1] ?? Infinity) <= block.start) item += 1;
    texts[item]?.push(topBlockText(block));
  }
  return texts.map(joinTexts);
}

const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n');

function partsOf(block: Block, definitions: Definitions): readonly string[] {
  const textOf = (source: string) => inlineText(source, definitions);
  const blocksText = (blocks: readonly Block[]) => blocks.flatMap((one) => partsOf(one, definitions));
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return [textOf(block.text)];
    case 'code':
      return [codeText(block)];
    case 'source':
      return [block.text];
    case 'math':
      return [block.tex];
    case 'quote':
    case 'note':
      return blocksText(block.blocks);
    case 'list':
      return block.items.flatMap(({ blocks }) => blocksText(blocks));
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.map(textOf));
    case 'rule':
    case 'definition':
      return [];
    default:
      return block satisfies never;
  }
}

/** Returns the text of a line as it is shown. */
export function inlineText(source: string, definitions: Definitions = NO_DEFINITIONS): string {
  const parts = parseInline(source, definitions);
  if (parts === null) return source;
  return joinTexts(parts.map(textOfInline).join('').split(BREAK));
}

/** A break within a text; no source contains it. */
const BREAK = '\0';

function textOfInline(part: Inline): string {
  switch (part.type) {
    case 'text':
    case 'code':
      return part.text;
    case 'math':
      return part.tex;
    case 'break':
      return BREAK;
    case 'noteReference':
      return String(part.number);
    case 'image':
      return '';
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return part.children.map(textOfInline).join('');
    default:
      return part satisfies never;
  }
}
