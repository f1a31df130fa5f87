/**
 * The syntax tree of Markdown. The text of paragraphs, headings and cells is kept as its source, which `parseInline` parses when it is drawn: so a
 * long answer is split into blocks at once, and only what is shown is parsed.
 */

/** A block. Nodes that did not change keep their references from one version of a growing source to the next. */
export type Block =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | CodeBlock
  | { readonly type: 'math'; readonly tex: string; readonly isComplete: boolean }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | ListBlock
  | TableBlock
  | { readonly type: 'rule' }
  | { readonly type: 'note'; readonly label: string; readonly blocks: readonly Block[] }
  /** The definition of a link, which is not visible. */
  | { readonly type: 'definition'; readonly label: string; readonly address: string }
  /** A part over a limit: it is shown as it is written. */
  | { readonly type: 'source'; readonly text: string };

export interface CodeBlock {
  readonly type: 'code';
  /** In lower case; `null` when none is named. */
  readonly language: string | null;
  readonly text: string;
}

export interface ListBlock {
  readonly type: 'list';
  /** The first number; `null` of a list without numbers. */
  readonly start: number | null;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly blocks: readonly Block[];
  /** Whether its task is done; `null` of an item that is no task. */
  readonly checked: boolean | null;
}

export interface TableBlock {
  readonly type: 'table';
  readonly align: readonly Align[];
  readonly head: Row;
  readonly rows: readonly Row[];
}

/** The sources of the cells of a row. */
export type Row = readonly string[];
export type Align = 'left' | 'center' | 'right' | null;

/** A part of a line. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly text: string }
  /** The address is `null` when it must not be opened from here. */
  | {
      readonly type: 'link';
      readonly address: string | null;
      readonly title: string;
      readonly children: readonly Inline[];
    }
  /** An image that is in the message. */
  | { readonly type: 'image'; readonly address: string; readonly name: string }
  | { readonly type: 'math'; readonly tex: string; readonly isDisplay: boolean }
  | { readonly type: 'break' }
  | { readonly type: 'noteReference'; readonly label: string; readonly number: number };

/** What the definitions of the whole source say. */
export interface Definitions {
  /** The addresses of links by their normalized labels. */
  readonly links: ReadonlyMap<string, string>;
  /** The numbers of footnotes by their normalized labels. */
  readonly notes: ReadonlyMap<string, number>;
}

export const NO_DEFINITIONS: Definitions = { links: new Map(), notes: new Map() };

/** Returns the blocks that are directly within a block. */
export function blocksIn(block: Block): readonly Block[] {
  if (block.type === 'quote' || block.type === 'note') return block.blocks;
  return block.type === 'list' ? block.items.flatMap(({ blocks }) => blocks) : [];
}

/** Returns the number of cells in the tables of a block, without their headers. */
export const cellsIn = (block: Block): number =>
  block.type === 'table'
    ? block.rows.length * block.head.length
    : blocksIn(block).reduce((sum, one) => sum + cellsIn(one), 0);

/** Returns code as it is shown: without the line end after its last line. */
export const codeText = ({ text }: CodeBlock): string => (text.endsWith('\n') ? text.slice(0, -1) : text);
