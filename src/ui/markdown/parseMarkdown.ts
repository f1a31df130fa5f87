import type { Token } from 'markdown-it';
import { ANSWER_CELLS } from '#shared/limits.ts';
import { type BuiltBlock, buildBlocks } from './buildBlocks.ts';
import { completeLast, completeSource } from './completeEnd.ts';
import { NO_LABELS, labelsIn, scopeOf, withDefinitions } from './definitions.ts';
import { type BlockEnv, markdownIt } from './markdownIt.ts';
import { shareUnchanged } from './shareUnchanged.ts';
import { type Block, type Definitions, NO_DEFINITIONS, cellsIn } from './syntax.ts';

/** A block of the outermost level. It keeps its reference while it and what it uses of the definitions stay the same. */
export interface TopBlock {
  readonly block: Block;
  /** Where it begins in the source, in UTF-16 units. */
  readonly start: number;
  /** The labels in its source that may refer to a definition. */
  readonly labels: ReadonlySet<string>;
  /** The definitions of its labels. */
  readonly definitions: Definitions;
}

/** A parsed source. */
export interface Parsed {
  readonly source: string;
  readonly blocks: readonly TopBlock[];
  readonly definitions: Definitions;
  /** The number of lines that were read for it: the work that it took. */
  readonly linesRead: number;
  /** Where the parser continues when the source has grown. */
  readonly rest: Rest;
}

/** The part of a source that is parsed again when the source has grown. */
interface Rest {
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  /** The number of blocks before it, which cannot change any more. */
  readonly finished: number;
  /** What they define. */
  readonly definitions: Definitions;
  /** The number of cells that may follow. */
  readonly cells: number;
  /** The finished part of the list, the table or the code in which it begins; `null` when it begins with a block. */
  readonly open: TopBlock | null;
  /** What it needs in front of it: the header of that table, or the first line of that code. */
  readonly prefix: string;
}

const EMPTY: Parsed = {
  source: '',
  blocks: [],
  definitions: NO_DEFINITIONS,
  linesRead: 0,
  rest: { start: 0, finished: 0, definitions: NO_DEFINITIONS, cells: ANSWER_CELLS, open: null, prefix: '' },
};

interface Options {
  /** The result for an earlier source. */
  readonly before?: Parsed | undefined;
  /** Whether more follows: an unfinished end is parsed as if it were complete. */
  readonly isGrowing?: boolean;
}

/**
 * Parses Markdown: GitHub's, with formulas and footnotes. A source that continues an earlier one is parsed from its last block on, or from the last item
 * of a list, row of a table or line of code. What did not change keeps its references.
 */
export function parseMarkdown(source: string, { before, isGrowing = false }: Options = {}): Parsed {
  if (source.includes('\r')) return withoutReturns(source, { before, isGrowing });
  const isContinued = before !== undefined && source.startsWith(before.source);
  const parsed = parseRest(source, isContinued ? before : EMPTY, isGrowing);
  return before === undefined ? parsed : { ...parsed, blocks: keepBlocks(before.blocks, parsed.blocks) };
}

/** Parses a source with carriage returns, as some systems have them: without them, and from its beginning. */
function withoutReturns(source: string, options: Options): Parsed {
  const removed: number[] = [];
  const text = source.replaceAll(/\r\n?/gu, (match: string, index: number) => {
    if (match.length === 2) removed.push(index - removed.length);
    return '\n';
  });
  const { blocks, ...parsed } = parseMarkdown(text, { isGrowing: options.isGrowing ?? false });
  let count = 0;
  const startOf = (start: number) => {
    while ((removed[count] ?? Infinity) < start) count += 1;
    return start + count;
  };
  const moved = blocks.map((block) => Object.assign({}, block, { start: startOf(block.start) }));
  return { ...parsed, source, blocks: keepBlocks(options.before?.blocks ?? [], moved), rest: EMPTY.rest };
}

function parseRest(source: string, base: Parsed, isGrowing: boolean): Parsed {
  const { rest } = base;
  const { blocks: read, linesRead, undecided } = readBlocks(source, rest, isGrowing);
  const blocks = rest.open === null ? read : joinFirst(rest.open, read);
  // What follows changed the kind of the block.
  if (blocks === null) return parseRest(source, EMPTY, isGrowing);
  const definitions = withDefinitions(
    rest.definitions,
    read.map(({ block }) => block),
  );
  const shown = isGrowing ? completeLast(blocks) : blocks;
  const known = base.blocks.slice(0, rest.finished);
  const isSame = definitions === base.definitions;
  return {
    source,
    definitions,
    linesRead,
    blocks: [
      ...(isSame ? known : known.map((one) => scoped(one, definitions))),
      ...shown.map((one) => scoped(one, definitions)),
    ],
    rest: restOf(source, rest, { read, blocks, undecided }),
  };
}

/** Returns a block with those of the definitions that it uses; the same block when they are the same. */
function scoped({ block, start, labels, definitions: before }: TopBlock, definitions: Definitions): TopBlock {
  return { block, start, labels, definitions: scopeOf(labels, definitions, before) };
}

interface ReadBlock extends TopBlock {
  /** Where its items or rows begin, in the source. */
  readonly parts: readonly number[];
  /** Its first line, or the two lines of the header of a table. */
  readonly header: string;
  /** Whether it is code whose end may follow. */
  readonly isOpenCode: boolean;
}

/** Parses the rest of a source. */
function readBlocks(
  source: string,
  { start, prefix, cells }: Rest,
  isGrowing: boolean,
): { readonly blocks: readonly ReadBlock[]; readonly linesRead: number; readonly undecided: number } {
  const text = prefix + source.slice(start);
  const { tokens, startOf, lineCount, undecided } = isGrowing ? tokenizeGrowing(text) : tokenize(text, false);
  const sourceOf = (first: number, end: number) => text.slice(startOf(first), startOf(end));
  const offset = start - prefix.length;
  let left = cells;
  const toRead = ({ block: built, lines: [first, end], parts: partLines }: BuiltBlock): ReadBlock => {
    const own = sourceOf(first, end);
    const count = cellsIn(built);
    const isOver = count > left;
    if (!isOver) left -= count;
    const block: Block = isOver ? { type: 'source', text: own.replace(/\n$/u, '') } : built;
    const parts = isOver ? [] : partLines;
    const header = HEADERS[block.type === 'table' ? 'table' : 'code'].exec(own)?.[0] ?? own;
    return {
      block,
      start: offset + startOf(first),
      labels: block.type === 'code' ? NO_LABELS : labelsIn(own),
      definitions: NO_DEFINITIONS,
      parts: parts.map((line) => offset + startOf(line)),
      header,
      isOpenCode: isOpenFence(block, own, end - first),
    };
  };
  return {
    blocks: buildBlocks(tokens, sourceOf).map(toRead),
    linesRead: lineCount,
    undecided: undecided === Infinity ? Infinity : offset + startOf(undecided),
  };
}

/** Match what further lines of a table, or of code, need in front of them. */
const HEADERS = { table: /^[^\n]*\n[^\n]*\n/u, code: /^[^\n]*\n/u } as const;

interface Tokenized {
  readonly tokens: readonly Token[];
  readonly lineCount: number;
  /** The first line of a formula or table that the lines that follow may make a part of the block before it; `Infinity` when there is none. */
  readonly undecided: number;
  /** Returns the index in the text at which a line begins. */
  readonly startOf: (line: number) => number;
}

function tokenize(text: string, isGrowing: boolean): Tokenized {
  const tokens: Token[] = [];
  const env = { isGrowing, lineCount: 0, openFormula: Infinity } satisfies BlockEnv;
  const state = new markdownIt.block.State(text.replaceAll('\0', '\uFFFD'), markdownIt, env, tokens);
  const lineCount = state.lineMax;
  env.lineCount = lineCount;
  markdownIt.block.tokenize(state, 0, lineCount);
  return {
    tokens,
    lineCount,
    undecided: env.openFormula,
    startOf: (line) => (line < lineCount ? (state.bMarks[line] ?? 0) : text.length),
  };
}

function tokenizeGrowing(text: string): Tokenized {
  const tokenized = tokenize(text, true);
  const completed = completeSource(text, tokenized.tokens);
  if (completed === text) return tokenized;
  const shown = tokenize(completed, true);
  if (completed.length < text.length) return shown;
  const table = shown.tokens.findLast(({ type }) => type === 'table_open');
  return { ...shown, undecided: Math.min(shown.undecided, table?.map?.[0] ?? Infinity) };
}

/** Joins the first block with the finished part of the same block; returns `null` when they are not of the same kind. */
function joinFirst(open: TopBlock, [first, ...others]: readonly ReadBlock[]): readonly ReadBlock[] | null {
  if (first === undefined) return null;
  const block = joinBlocks(open.block, first.block);
  const labels = first.labels.size === 0 ? open.labels : new Set([...open.labels, ...first.labels]);
  return block && [{ ...first, block, start: open.start, labels }, ...others];
}

function joinBlocks(open: Block, next: Block): Block | null {
  if (open.type === 'list' && next.type === 'list') return { ...open, items: [...open.items, ...next.items] };
  if (open.type === 'table' && next.type === 'table') return { ...open, rows: [...open.rows, ...next.rows] };
  return open.type === 'code' && next.type === 'code' ? { ...open, text: open.text + next.text } : null;
}

interface Blocks {
  /** The blocks as they were read. */
  readonly read: readonly ReadBlock[];
  /** The same, with the finished part of the first one. */
  readonly blocks: readonly ReadBlock[];
  /** Where a formula or table begins that what follows may make a part of the block before it; `Infinity` when there is none. */
  readonly undecided: number;
}

/**
 * Returns what is parsed again when the source has grown: from the last block, item or row on whose first line is complete. A line that is not complete
 * may still become a part of the block before it; so may a formula without an end, and a table without its second line.
 */
function restOf(source: string, rest: Rest, { read, blocks, undecided }: Blocks): Rest {
  const lineStart = source.lastIndexOf('\n') + 1;
  const isComplete = (start: number) => start < lineStart && start < undecided;
  let last = read.findLastIndex(({ start }) => isComplete(start));
  // Its title may follow.
  if (read[last - 1]?.block.type === 'definition') last -= 1;
  const block = blocks[last];
  if (block === undefined) return rest;
  const open = last === 0 ? rest.open : null;
  const known = read.slice(0, last).map((one) => one.block);
  const definitions = withDefinitions(rest.definitions, known);
  const cells = rest.cells - known.reduce((sum, one) => sum + cellsIn(one), 0);
  const next = { finished: rest.finished + last, definitions, cells };
  const part = block.parts.findLastIndex(isComplete);
  const start = part > 0 || open !== null ? block.parts[part] : undefined;
  if (start !== undefined) {
    const own = labelsIn(source.slice(read[last]?.start, start));
    const labels = open === null ? own : new Set([...open.labels, ...own]);
    const withoutRest = (one: Block) => withoutParts(one, block.parts.length - part);
    const added = withoutRest(read[last]?.block ?? block.block);
    return {
      start,
      finished: next.finished,
      definitions: withDefinitions(definitions, [added]),
      cells: cells - cellsIn(added),
      open: { ...block, block: withoutRest(block.block), labels },
      prefix: block.block.type === 'table' ? block.header : '',
    };
  }
  const code = last === read.length - 1 ? completeLines(block) : null;
  if (code !== null)
    return { ...next, start: lineStart, open: { ...block, block: code }, prefix: block.header };
  return open === null ? { ...next, start: block.start, open: null, prefix: '' } : rest;
}

/** Returns a list or table without its last items or rows. */
function withoutParts(block: Block, count: number): Block {
  if (block.type === 'list') return { ...block, items: block.items.slice(0, block.items.length - count) };
  return block.type === 'table' ? { ...block, rows: block.rows.slice(0, block.rows.length - count) } : block;
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/u;

/** Returns whether code is fenced and has no end: all of its lines but the first one are its text. */
function isOpenFence(block: Block, source: string, lineCount: number): boolean {
  if (block.type !== 'code' || !FENCE.test(source)) return false;
  const ends = block.text.split('\n').length - 1;
  return lineCount === 1 + (block.text === '' || block.text.endsWith('\n') ? ends : ends + 1);
}

/** Returns the complete lines of code whose end has not arrived; `null` when it has. */
const completeLines = ({ block, isOpenCode }: ReadBlock): Block | null =>
  isOpenCode && block.type === 'code'
    ? { ...block, text: block.text.slice(0, block.text.lastIndexOf('\n') + 1) }
    : null;

/** Returns the new blocks; those that are equal to the ones before keep their references. */
function keepBlocks(before: readonly TopBlock[], after: readonly TopBlock[]): readonly TopBlock[] {
  return after.map((one, index) => {
    const known = before[index];
    if (known === undefined || known === one) return one;
    const block = shareUnchanged(known.block, one.block);
    const definitions = scopeOf(one.labels, one.definitions, known.definitions);
    const isSame = block === known.block && one.start === known.start && definitions === known.definitions;
    return isSame ? known : { ...one, block, definitions };
  });
}
