import { escapeLineStart } from './escapeMarkdown.ts';

/** Returns a table as Markdown. Its first row is the head, because a table of Markdown has one. A table within a cell is text. */
export function tableMarkdown(table: Element, cellMarkdown: (cell: Element) => string): string {
  const rows = Array.from(table.querySelectorAll('tr'), (row) =>
    row.closest('table') === table ? Array.from(row.children, (cell) => cellText(cellMarkdown(cell))) : [],
  ).filter((row) => row.length > 0);
  const caption = Array.from(table.children).find(({ localName }) => localName === 'caption');
  const width = Math.max(0, ...rows.map((row) => row.length));
  const [head = [], ...body] = rows.map((row) => rowMarkdown(row, width));
  const lines = [head, `|${' --- |'.repeat(width)}`, ...body].join('\n');
  const title = caption === undefined ? '' : escapeLineStart(cellText(cellMarkdown(caption)));
  return [title, width === 0 ? '' : lines].filter((text) => text !== '').join('\n\n');
}

const rowMarkdown = (cells: readonly string[], width: number): string =>
  `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;

/** Returns the text of a cell in one line, without the characters that end a cell. */
const cellText = (markdown: string): string =>
  markdown
    .replaceAll('\n', ' ')
    .replaceAll(/(?<!\\)\|/gu, String.raw`\|`)
    .trim();
