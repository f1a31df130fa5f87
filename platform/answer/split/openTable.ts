import { type OpenBlock, countedLines } from './openBlock.ts';
import type { LineKind, LineStart } from './lineStart.ts';

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
