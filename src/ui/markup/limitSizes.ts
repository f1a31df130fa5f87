import { HTML_CELLS } from '#shared/limits.ts';

/** Maximum values of attributes whose value is work for the layout, or the height of the message. */
const MOST: Readonly<Record<string, number>> = { colspan: 1000, rowspan: 1000, width: 10_000, height: 2000 };

/** Lowers the numbers of an element's attributes to what the layout can do. */
export function limitNumbers(element: Element): void {
  for (const [name, most] of Object.entries(MOST))
    if (Number.parseFloat(element.getAttribute(name) ?? '') > most) element.setAttribute(name, String(most));
}

/**
 * Makes each cell of sanitized markup as large as one if all cells together would cover more than a limit: a browser works for each place in the rows and columns
 * of a table, and 150 cells can cover millions.
 */
export function limitSpans(markup: ParentNode): void {
  const spans = markup.querySelectorAll('[colspan], [rowspan]');
  if (spans.length === 0 || coveredPlaces(markup) <= HTML_CELLS) return;
  for (const cell of spans) {
    cell.removeAttribute('colspan');
    cell.removeAttribute('rowspan');
  }
}

/** Returns the number of places in all tables: the product of their rows and columns. */
function coveredPlaces(markup: ParentNode): number {
  const tables = new Map<Node | null, TableSize>();
  for (const cell of markup.querySelectorAll('td, th')) {
    const table = cell.closest('table');
    const size = tables.get(table) ?? new TableSize();
    tables.set(table, size);
    size.add(cell);
  }
  return Array.from(tables.values()).reduce((sum, { places }) => sum + places, 0);
}

/** Counts the rows and columns of a table, to which cells are added in order. */
class TableSize {
  #row: Node | null = null;
  #rows = 0;
  #columns = 0;
  /** The columns that cells of this row and of the rows before it cover in this row. */
  #width = 0;
  /** The cells of earlier rows that reach further rows. */
  #open: { readonly columns: number; readonly lastRow: number }[] = [];

  get places(): number {
    return this.#rows * this.#columns;
  }

  add(cell: Element): void {
    if (cell.parentNode !== this.#row) this.#beginRow(cell.parentNode);
    const columns = spanOf(cell, 'colspan');
    const rows = spanOf(cell, 'rowspan');
    this.#width += columns;
    this.#columns = Math.max(this.#columns, this.#width);
    if (rows > 1) this.#open.push({ columns, lastRow: this.#rows + rows - 1 });
  }

  #beginRow(row: Node | null): void {
    this.#row = row;
    this.#rows += 1;
    this.#open = this.#open.filter(({ lastRow }) => lastRow >= this.#rows);
    this.#width = this.#open.reduce((sum, { columns }) => sum + columns, 0);
  }
}

/** Returns how many columns or rows a cell covers. A cell with no rows covers all that follow. */
function spanOf(cell: Element, name: string): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return value === 0 && name === 'rowspan' ? Infinity : Math.max(1, value || 1);
}
