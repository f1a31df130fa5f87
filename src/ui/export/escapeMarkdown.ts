import { splitLinks } from '../base/splitLinks.ts';

/** Matches what Markdown reads as more than a character, anywhere in a line. An underscore within a word is only a character. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?[a-z\d]+;)/giu;
/** Matches what would begin a block at the start of a line: a heading, a quotation, a list, a line or the row below a table's head. */
const BLOCK_START = /^(?:[-+](?=[\s-]|$)|#(?=#{0,5}(?:\s|$))|>|=(?==*\s*$)|:(?=-))/u;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/u;

/** Escapes a part of a line for Markdown: it shows its characters. */
export const escapeInline = (text: string): string => text.replaceAll(SPECIAL, String.raw`\$&`);

/** Escapes the beginning of a line, which is escaped otherwise, so that it begins no block. */
export const escapeLineStart = (line: string): string =>
  line.replace(BLOCK_START, String.raw`\$&`).replace(NUMBER_START, String.raw`$1\$2`);

/** Returns Markdown that shows a text with its lines, its indentation and its links. */
export const textMarkdown = (text: string): string =>
  text
    .split(/\r\n|[\n\r]/u)
    .map(lineMarkdown)
    .join('\n')
    .replaceAll(/(?<=[^\n])\n(?=[^\n])/gu, '\\\n');

function lineMarkdown(line: string): string {
  const { indent = '', rest = '' } = /^(?<indent>[\t ]*)(?<rest>.*?)\s*$/su.exec(line)?.groups ?? {};
  if (rest === '') return '';
  const parts = splitLinks(rest).map(({ text, isLink }) => (isLink ? `<${text}>` : escapeInline(text)));
  // Four spaces would begin code. Spaces that do not break are text.
  return indent.replaceAll('\t', '    ').replaceAll(' ', '\u00A0') + escapeLineStart(parts.join(''));
}
