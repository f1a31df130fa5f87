import type { BlockKind } from './answerItem.ts';
import { type LineKind, type LineStart, columnsOf } from './lineStart.ts';

/** A block that is still growing. */
export interface OpenBlock {
  readonly kind: BlockKind;
  /** The complete lines. */
  readonly lines: string[];
  /** Returns whether the next line belongs to the block, by its beginning. `undefined`: every line does, as in a fence. */
  readonly continues?: (start: LineStart) => boolean;
  /** Takes a complete line that belongs to the block; returns whether it is the last one. */
  push(line: string): boolean;
  /** Returns the block that continues a very long one with the next line; `undefined` when the line does not continue it. */
  readonly nextPiece?: (start: LineStart) => OpenBlock | undefined;
}

/** A list or a table ends at its next item or row when it is longer: the cost of one item stays small. In UTF-16 units. */
const PIECE_LENGTH = 4000;
const PIECE_LINES = 200;

/** Returns a function that adds a line to `lines`, and the length so far. */
function countedLines(first: readonly string[] = []) {
  const lines = [...first];
  let length = first.join('\n').length;
  return {
    lines,
    isLong: () => length > PIECE_LENGTH || lines.length > PIECE_LINES,
    push(line: string) {
      lines.push(line);
      length += line.length + 1;
      return false;
    },
  };
}

const OPENING = /^ {0,3}(?<fence>`{3,}|~{3,})/;

/** Opens the code block of a fence. It ends at the closing fence. */
export function openFence(line: string): OpenBlock {
  const fence = OPENING.exec(line)?.groups?.fence ?? '```';
  const lines = [line];
  return {
    kind: 'code',
    lines,
    push(next) {
      lines.push(next);
      return closesFence(next, fence);
    },
  };
}

/** Returns whether a line closes a fence: at least as many of its characters, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && text === fence.charAt(0).repeat(text.length);
}

/** Opens a code block of indented lines. It ends at the first line that is not indented. */
export function openIndentedCode(): OpenBlock {
  const lines: string[] = [];
  return {
    kind: 'code',
    lines,
    continues: ({ kind }) => kind === 'indented' || kind === 'blank',
    push(line) {
      lines.push(line);
      return false;
    },
  };
}

const MARKER = /^(?<indent>[ \t]*)(?<marker>[-+*]|\d{1,9}[.)])(?<space>[ \t]*)(?<rest>.*)$/;
const FENCE = /^(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)(?=[ \t]))*[ \t]*(?<fence>`{3,}|~{3,})(?<info>.*)$/;
/** White space after a marker that is more than this is code in the item. In columns. */
const MOST_SPACE = 4;

/**
 * Opens a list. It ends at the first line that belongs to none of its items: a line with less indentation than the item's text, except the
 * next item and, without a blank line before it, the rest of a paragraph.
 */
export function openList(): OpenBlock {
  const { lines, isLong, push } = countedLines();
  let offset = 0;
  let isAfterBlank = false;
  let fence: string | null = null;

  const isLazy = ({ kind }: LineStart) =>
    !isAfterBlank && fence === null && (kind === 'text' || kind === 'pipe' || kind === 'indented');

  return {
    kind: 'list',
    lines,
    continues(start) {
      if (start.kind === 'blank' || start.indent >= offset) return true;
      return start.kind === 'list' ? !isLong() : isLazy(start);
    },
    push(line) {
      const indent = columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '');
      if (line.trim() !== '' && indent < offset) fence = null;
      if (indent < offset || lines.length === 0) offset = offsetOf(line) ?? offset;
      fence = fenceAfter(line, fence);
      isAfterBlank = line.trim() === '';
      return push(line);
    },
  };
}

/** Returns the column at which the text of a list item begins; `undefined` when the line begins none. */
function offsetOf(line: string): number | undefined {
  const { indent = '', marker, space = '', rest } = MARKER.exec(line)?.groups ?? {};
  if (marker === undefined || (space === '' && rest !== '')) return undefined;
  const start = columnsOf(indent) + marker.length;
  const width = columnsOf(indent + ' '.repeat(marker.length) + space) - start;
  return start + (rest === '' || width > MOST_SPACE ? 1 : width);
}

/** Returns the fence that is open after a line. */
function fenceAfter(line: string, open: string | null): string | null {
  if (open !== null) return closesFence(line, open) ? null : open;
  const { fence, info = '' } = FENCE.exec(line)?.groups ?? {};
  return fence === undefined || (fence.startsWith('`') && info.includes('`')) ? null : fence;
}

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

const DELIMITER_ROW = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
/** Longer rows begin no table. In UTF-16 units. */
const ROW_LENGTH = 1000;

/** Returns whether a line is the delimiter row of the table whose header is the line before it: both have the same number of cells. */
export function isDelimiterRow(line: string, header: string): boolean {
  return (
    line.length <= ROW_LENGTH &&
    header.length <= ROW_LENGTH &&
    (line.includes('|') || header.includes('|')) &&
    DELIMITER_ROW.test(line) &&
    cellCount(line) === cellCount(header)
  );
}

/** Returns the number of a row's cells. An escaped pipe separates nothing. */
function cellCount(row: string): number {
  const inner = row.replaceAll(/\\./g, '').trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split('|').length;
}

const ROWS: ReadonlySet<LineKind> = new Set(['pipe', 'text', 'indented']);

const isRow = ({ kind }: LineStart) => ROWS.has(kind);

/** Opens a table with its header and its delimiter row. It ends at the first line that is no row. Each piece of a very long one repeats both. */
export function openTable(header: readonly string[]): OpenBlock {
  const { lines, isLong, push } = countedLines(header);
  return {
    kind: 'table',
    lines,
    push,
    continues: (start) => isRow(start) && !isLong(),
    nextPiece: (start) => (isRow(start) ? openTable(header) : undefined),
  };
}
