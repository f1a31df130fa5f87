/** Longer blocks are shown as they are written. In UTF-16 units. */
const MOST_LENGTH = 12_000;
/** A parser takes a multiple of the time for lines that are nearly empty. */
const MOST_LINES = 600;
/** Maximum number of markers in one paragraph, cell or item: a parser compares each with those before it. */
const MOST_MARKERS = 200;
/** Maximum number of quotes and lists within each other. */
const MOST_NESTING = 16;
/** Maximum indentation of a line, in characters. */
const MOST_INDENT = 100;
/** Maximum number of cells in a table, including those that a short row lacks. */
const MOST_CELLS = 3000;

const CONTAINERS = /^(?:[ \t]{0,100}(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/;
const CONTAINER = />|[-+*]|\d{1,9}[.)]/g;
/** A line that begins a paragraph, a cell or an item, or ends one. */
const BOUNDARY = /^[ \t]*(?:$|[-+*][ \t]|\d{1,9}[.)][ \t]|\|)/;

/**
 * Returns whether a Markdown parser, or a browser with its result, could take long: it is very long or deeply nested, or it has very many
 * markers in one paragraph, or very many cells. Such a block is hostile or broken.
 */
export function isCostlyMarkdown(source: string): boolean {
  if (source.length > MOST_LENGTH) return true;
  const lines = source.split('\n');
  return lines.length > MOST_LINES || hasManyMarkers(lines) || hasManyCells(lines) || lines.some(isDeep);
}

function hasManyMarkers(lines: readonly string[]): boolean {
  let markers = 0;
  for (const line of lines) {
    if (BOUNDARY.test(line)) markers = 0;
    markers += line.match(/[*_~[\]`<]/g)?.length ?? 0;
    if (markers > MOST_MARKERS) return true;
  }
  return false;
}

function hasManyCells(lines: readonly string[]): boolean {
  const width = Math.max(...lines.map((line) => line.split('|').length));
  return width > 2 && width * lines.length > MOST_CELLS;
}

function isDeep(line: string): boolean {
  const containers = CONTAINERS.exec(line)?.[0].match(CONTAINER)?.length ?? 0;
  return containers > MOST_NESTING || line.search(/[^ \t]/) > MOST_INDENT;
}
