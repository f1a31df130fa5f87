import type { Token } from 'markdown-it';
import { MOST_LEVELS } from './markdownIt.ts';
import type { Align, Block, ListItem, Row, TableBlock } from './syntax.ts';

/** A block of the outermost level, and the lines that it takes. */
export interface BuiltBlock {
  readonly block: Block;
  /** The first line, and the one after the last. */
  readonly lines: readonly [first: number, end: number];
  /** The first lines of the items of a list, or of the rows of a table without its header. */
  readonly parts: readonly number[];
}

/**
 * Builds the syntax tree of markdown-it's tokens. A block that is nested too deep, of which the parser drops the rest, becomes its source.
 * @param sourceOf returns the source of lines
 */
export function buildBlocks(
  tokens: readonly Token[],
  sourceOf: (first: number, end: number) => string,
): readonly BuiltBlock[] {
  const built: BuiltBlock[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    const end = endOf(tokens, at);
    const inner = tokens.slice(at, end);
    const [first = 0, last = 0] = token?.map ?? [];
    const block = isTooDeep(inner) ? null : new Reader(inner).block();
    built.push({
      block: block ?? { type: 'source', text: sourceOf(first, last).replace(/\n$/u, '') },
      lines: [first, last],
      parts: block === null ? [] : partLines(inner),
    });
    at = end;
  }
  return built;
}

/** Returns the index after the block that begins at an index. */
function endOf(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}

const isTooDeep = (tokens: readonly Token[]): boolean =>
  tokens.some(({ level, nesting }) => nesting === 1 && level >= MOST_LEVELS - 1);

/** Returns the first lines of the items of a list, or of the rows of a table without its header. */
function partLines(tokens: readonly Token[]): readonly number[] {
  const isTable = tokens[0]?.type === 'table_open';
  const part = isTable ? 'tr_open' : 'list_item_open';
  const level = isTable ? 2 : 1;
  const lines = tokens.flatMap((token) =>
    token.type === part && token.level === level && token.map !== null ? token.map[0] : [],
  );
  return isTable ? lines.slice(1) : lines;
}

/** Reads tokens one after the other. */
class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Reads a block. Its depth is limited. */
  block(): Block {
    const token = this.#next();
    const { type, content } = token;
    switch (type) {
      case 'heading_open':
        return { type: 'heading', level: Number(token.tag.slice(1)), text: this.#text() };
      case 'paragraph_open':
        return { type: 'paragraph', text: this.#text() };
      case 'fence':
        return { type: 'code', language: languageOf(token.info), text: content };
      case 'code_block':
        return { type: 'code', language: null, text: content };
      case 'math_block':
        return { type: 'math', tex: content, isComplete: token.meta?.['isComplete'] === true };
      case 'blockquote_open':
        return { type: 'quote', blocks: this.#blocks('blockquote_close') };
      case 'note_open':
        return { type: 'note', label: String(token.meta?.['label']), blocks: this.#blocks('note_close') };
      case 'bullet_list_open':
      case 'ordered_list_open':
        return { type: 'list', start: startOf(token), items: this.#items(type.replace('open', 'close')) };
      case 'table_open':
        return this.#table();
      case 'reference_definition':
        return {
          type: 'definition',
          label: String(token.meta?.['label']),
          address: String(token.meta?.['address']),
        };
      default:
        return { type: 'rule' };
    }
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new RangeError('The tokens end within a block.');
    return token;
  }

  #isAt(type: string): boolean {
    return this.#tokens[this.#at]?.type === type;
  }

  /** Reads the source of a line, and the end of its block. */
  #text(): string {
    const { content } = this.#next();
    this.#at += 1;
    return content;
  }

  #blocks(end: string): Block[] {
    const blocks: Block[] = [];
    while (!this.#isAt(end)) blocks.push(this.block());
    this.#at += 1;
    return blocks;
  }

  #items(end: string): ListItem[] {
    const items: ListItem[] = [];
    while (!this.#isAt(end)) {
      this.#at += 1;
      items.push(itemOf(this.#blocks('list_item_close')));
    }
    this.#at += 1;
    return items;
  }

  #table(): TableBlock {
    const align: Align[] = [];
    const rows: string[][] = [];
    for (let token = this.#next(); token.type !== 'table_close'; token = this.#next()) {
      if (token.type === 'tr_open') rows.push([]);
      else if (token.type === 'inline') rows.at(-1)?.push(token.content);
      else if (token.type === 'th_open') align.push(alignOf(token));
    }
    const [head = [], ...body] = rows;
    return { type: 'table', align, head, rows: body satisfies readonly Row[] };
  }
}

function startOf(token: Token): number | null {
  if (token.type === 'bullet_list_open') return null;
  const start = Number(token.attrGet('start') ?? 1);
  return Number.isNaN(start) ? 1 : start;
}

const TASK = /^\[([ xX])\](?:[ \t\n]+|$)/u;

/** Returns an item of a list; a task when its text begins with a box. */
function itemOf(blocks: readonly Block[]): ListItem {
  const [first, ...rest] = blocks;
  const box = first?.type === 'paragraph' ? TASK.exec(first.text) : null;
  if (first?.type !== 'paragraph' || box === null) return { blocks, checked: null };
  return {
    blocks: [{ ...first, text: first.text.slice(box[0].length) }, ...rest],
    checked: box[1] !== ' ',
  };
}

function alignOf(token: Token): Align {
  const align = /left|center|right/u.exec(String(token.attrGet('style')))?.[0];
  return align === 'left' || align === 'center' || align === 'right' ? align : null;
}

/** Returns the language that the line before code names. */
const languageOf = (info: string): string | null =>
  /^\s*([\w+#.-]{1,30})(?=\s|$|[{:,])/u.exec(info)?.[1]?.toLowerCase() ?? null;
