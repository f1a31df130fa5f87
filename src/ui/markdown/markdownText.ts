import { parseInline } from './parseInline.ts';
import { type Parsed, type TopBlock, parseMarkdown } from './parseMarkdown.ts';
import { type Block, type Definitions, type Inline, codeText } from './syntax.ts';

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

/**
 * Returns the text of a block as it is shown: what is searched, copied and announced. A formula is its source. Blocks and rows are separated by one line break,
 * cells by a tab. It is empty when nothing of the block is visible.
 */
const topBlockText = ({ block, definitions }: TopBlock): string => joinTexts(partsOf(block, definitions));

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
      return block.items.flatMap((item) => remembered(item, definitions, () => blocksText(item.blocks)));
    case 'table':
      return [block.head, ...block.rows].flatMap((row) =>
        remembered(row, definitions, () => [row.map(textOf).join('\t')]),
      );
    case 'rule':
    case 'definition':
      return [];
    default:
      return block satisfies never;
  }
}

/** The texts of the items and rows that were read: those of a list or a table that grows keep their references. */
const known = new WeakMap<object, { readonly definitions: Definitions; readonly texts: readonly string[] }>();

/** Returns the texts of an item or a row, which are read once. */
function remembered(
  part: object,
  definitions: Definitions,
  read: () => readonly string[],
): readonly string[] {
  const before = known.get(part);
  if (before?.definitions === definitions) return before.texts;
  const texts = read();
  known.set(part, { definitions, texts });
  return texts;
}

/** Returns the text of a line as it is shown. */
function inlineText(source: string, definitions: Definitions): string {
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
