/** Puts each table of sanitized markup into a container of its own, which scrolls sideways. A table within a table scrolls with it. */
export function wrapTables(markup: ParentNode): void {
  for (const table of markup.querySelectorAll('table:not(table table)')) {
    const container = document.createElement('div');
    container.className = 'table';
    table.replaceWith(container);
    container.append(table);
  }
}
