import type { Token } from 'markdown-it';
import { markdownIt } from './markdownIt.ts';
import type { Block, ListItem } from './syntax.ts';

/*
 * What the end of a growing source will most likely be: so that `**` does not appear before the bold text, and a table is one from its first line on.
 * The blocks before the last one are never touched.
 */

/** Matches a last line that does not say yet what it is: it is not shown. */
const UNDECIDED =
  /^[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(?:[-*+#~`=|:_$\\]+|\d{1,9}[.)]?|\[[^\]\n]*\]?|\[\^?[^\]\n]*\]:[ \t]*\S*)?[ \t]*$/u;
/** Matches a last line that may end code. */
const CLOSING = /^[ \t>]*[`~]+[ \t]*$/u;
/** Matches the first line of code while it names the language. */
const OPENING = /^([ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?(?:`{3,}|~{3,}))[^\n`~]+$/u;
/** A longer last line is shown as it is: the patterns would take long. In UTF-16 units. */
const LINE_LENGTH = 1000;
const DELIMITERS = /^[ \t|:-]*$/u;

/** Returns a text whose unfinished last line is completed, or left out. `tokens` are those of the text. */
export function completeSource(text: string, tokens: readonly Token[]): string {
  const last = tokens.findLast(({ nesting }) => nesting !== -1);
  if (last?.type === 'fence') {
    const isOpening = last.map !== null && last.map[1] - last.map[0] === 1 && !text.endsWith('\n');
    return isOpening ? replaceLine(text, OPENING, '$1') : replaceLine(text, CLOSING);
  }
  if (last?.type === 'code_block' || last?.type === 'math_block') return text;
  return completeTable(text) ?? replaceLine(text, UNDECIDED);
}

/** Replaces a last line that matches; keeps the line end before it. */
function replaceLine(text: string, pattern: RegExp, by = ''): string {
  const start = text.lastIndexOf('\n') + 1;
  if (text.length - start > LINE_LENGTH) return text;
  return text.slice(0, start) + text.slice(start).replace(pattern, by);
}

/** Completes the header of a table; returns `null` when the text does not end with one. */
function completeTable(text: string): string | null {
  const lines = text.slice(text.lastIndexOf('\n\n') + 1).split('\n');
  const last = lines.pop() ?? '';
  const header = last === '' || DELIMITERS.test(last) ? lines.at(-1) : last;
  const before = lines.at(header === last ? -1 : -2) ?? '';
  if (header === undefined || !isRow(header) || isRow(before) || DELIMITERS.test(header)) return null;
  const columns = cellsOf(header);
  const aligns = header === last ? [] : cellsOf(last);
  const row = columns.map((_, at) => (/^:?-+:?$/u.test(aligns[at] ?? '') ? aligns[at] : '---'));
  const end = header === last ? text : text.slice(0, text.length - last.length - 1);
  return `${end}${header.trimEnd().endsWith('|') ? '' : ' |'}\n| ${row.join(' | ')} |`;
}

const isRow = (line: string): boolean => /^ {0,3}\|/u.test(line);

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim());

/** Completes the text at the end of the last block. */
export function completeLast<T extends { readonly block: Block }>(blocks: readonly T[]): readonly T[] {
  const last = blocks.at(-1);
  return last === undefined
    ? blocks
    : [...blocks.slice(0, -1), { ...last, block: completeBlock(last.block) }];
}

function completeBlock(block: Block): Block {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return { ...block, text: completeText(block.text) };
    case 'quote':
    case 'note':
      return { ...block, blocks: completeBlocks(block.blocks) };
    case 'list':
      return { ...block, items: replaceLast(block.items, completeItem) };
    case 'table':
      if (block.rows.length === 0) return { ...block, head: replaceLast(block.head, completeText) };
      return { ...block, rows: replaceLast(block.rows, (row) => row.map(completeText)) };
    case 'code':
    case 'definition':
    case 'math':
    case 'rule':
    case 'source':
      return block;
    default:
      return block satisfies never;
  }
}

const completeBlocks = (blocks: readonly Block[]): readonly Block[] => replaceLast(blocks, completeBlock);
const completeItem = (item: ListItem): ListItem => ({ ...item, blocks: completeBlocks(item.blocks) });

const replaceLast = <T>(list: readonly T[], replace: (last: T) => T): readonly T[] =>
  list.map((one, at) => (at === list.length - 1 ? replace(one) : one));

/** Matches a link whose address has not ended. */
const OPEN_LINK = /(!?\[[^[\]]*\]\()[^()\s]*$/u;
/** Matches markers that may still get longer. */
const MARKERS = /(?:[*_~`$]+|\\)$/u;
/** Maximum number of markers that are closed: more are no emphasis. */
const MOST_OPEN = 6;
/** Longer texts are left as they are. In UTF-16 units. */
const COMPLETED_LENGTH = 4000;

/** Returns the text of a line with its open emphasis, code and link closed. */
export function completeText(text: string): string {
  if (text.length > COMPLETED_LENGTH) return text;
  const held = text.replace(MARKERS, '').trimEnd();
  const linked = held.replace(OPEN_LINK, '$1)');
  const ticks = openTicks(linked);
  if (ticks !== null) return linked + ticks;
  return linked + openMarkers(linked);
}

/** Returns the backticks that end open code; `null` when no code is open. */
function openTicks(text: string): string | null {
  let open: string | null = null;
  for (const [run] of text.matchAll(/`+/gu)) {
    if (open === null) open = run;
    else if (open === run) open = null;
  }
  return open;
}

/** The parser counts two tildes as one marker. */
const MARKS: Readonly<Record<number, string>> = { 126: '~~' };

/** Returns the markers that end what is emphasized. */
function openMarkers(text: string): string {
  const state = new markdownIt.inline.State(text, markdownIt, {}, []);
  markdownIt.inline.tokenize(state);
  for (const rule of markdownIt.inline.ruler2.getRules('')) rule(state);
  const open = state.delimiters.filter((one) => one.open && one.end === -1 && !one.close);
  if (open.length > MOST_OPEN) return '';
  return open
    .toReversed()
    .map(({ marker }) => MARKS[marker] ?? String.fromCharCode(marker))
    .join('');
}
