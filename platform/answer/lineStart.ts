/** What the beginning of a line starts, outside of a code block. */
export type LineKind =
  | 'blank'
  | 'fence'
  | 'heading'
  | 'break'
  | 'quote'
  | 'list'
  | 'indented'
  | 'pipe'
  | 'text';

/** The kind of a line, and its indentation in columns. */
export interface LineStart {
  readonly kind: LineKind;
  readonly indent: number;
}

/** A line whose kind is not decided by then is text. In UTF-16 units. */
const DECIDED_LENGTH = 1000;
const TAB_WIDTH = 4;
/** Indentation of code, in columns. */
const CODE_INDENT = 4;

/** Lines that can be a break, the underline of a heading or the delimiter row of a table: only the whole line decides. */
const RULE = /^(?:[-=:|\s]+|[*\s]+|[_\s]+)$/;
const BREAK = /^(?:-[ \t]*){3,}$|^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const FENCE = /^(?:`{3,}[^`]*|~{3,}.*)$/;
const LIST = /^(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
/** Beginnings that can still become a list, a heading or a fence. */
const UNDECIDED = /^(?:#{1,6}|`{1,2}|~{1,2}|[-+*]|\d{1,9}[.)]?)$/;

/**
 * Returns what a line starts, or `undefined` while that depends on characters that are not there yet. The result for a part of a line is
 * that for the whole line: how an answer was cut into parts never changes its items.
 */
export function lineStart(line: string, isComplete: boolean): LineStart | undefined {
  const isLong = line.length > DECIDED_LENGTH;
  const head = isLong ? line.slice(0, DECIDED_LENGTH) : line;
  const text = head.trimStart();
  const indent = columnsOf(head.slice(0, head.length - text.length));
  const isWhole = isComplete && !isLong;
  const kind = text === '' && !isWhole ? undefined : kindOf(text, indent, isWhole);
  if (kind !== undefined) return { kind, indent };
  return isLong ? { kind: 'text', indent } : undefined;
}

function kindOf(text: string, indent: number, isComplete: boolean): LineKind | undefined {
  if (text === '') return 'blank';
  if (indent >= CODE_INDENT) return 'indented';
  if (text.startsWith('>')) return 'quote';
  return isComplete ? kindOfWhole(text) : kindOfPart(text);
}

function kindOfWhole(text: string): LineKind {
  if (text.startsWith('|')) return 'pipe';
  if (BREAK.test(text.trimEnd())) return 'break';
  if (FENCE.test(text)) return 'fence';
  if (HEADING.test(text)) return 'heading';
  return LIST.test(text) ? 'list' : 'text';
}

function kindOfPart(text: string): LineKind | undefined {
  // The next line decides whether a line with pipes is a table's header, and the whole line whether it is code within a line.
  if (text.startsWith('|') || RULE.test(text) || UNDECIDED.test(text)) return undefined;
  if (text.startsWith('```')) return text.slice(3).replace(/^`+/, '').includes('`') ? 'text' : undefined;
  if (text.startsWith('~~~')) return undefined;
  if (HEADING.test(text)) return 'heading';
  return LIST.test(text) ? 'list' : 'text';
}

/** Returns the width of white space in columns: a tab reaches to the next multiple of 4. */
export function columnsOf(space: string): number {
  let columns = 0;
  for (const character of space) columns += character === '\t' ? TAB_WIDTH - (columns % TAB_WIDTH) : 1;
  return columns;
}
