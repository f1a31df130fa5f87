import { PLACEHOLDER } from '#shared/conversation/display.ts';
import { sanitizeQuickly } from '../markup/sanitizeQuickly.ts';

const BLOCKS = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul caption table tr'.split(
    ' ',
  ),
);

/** Returns whether the elements with this name are shown on lines of their own. */
export const isMarkupBlock = (tag: string): boolean => BLOCKS.has(tag);

/** The text that is written so far. */
interface Output {
  text: string;
  /** The number of characters that were read, in UTF-16 units. */
  read: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text of a message's markup as it is shown, with a line for each block and tabs between the cells of a table. `start` and
 * `end` count the characters of its text nodes, in UTF-16 units.
 */
export function markupText(html: string, start: number, end: number): string {
  const fragment = sanitizeQuickly(html);
  if (fragment === 'tooLarge') return 'This page is too large to copy.';
  if (fragment === null) return PLACEHOLDER.slice(start, end);
  const output: Output = { text: '', read: 0, start, end };
  write(fragment, output, false);
  return output.text.trim();
}

function write(node: Node, output: Output, isPreformatted: boolean): void {
  if (node instanceof Text) {
    writeText(node.data, output, isPreformatted);
    return;
  }
  const tag = node.nodeName.toLowerCase();
  const isBlock = isMarkupBlock(tag);
  if (isBlock) breakLine(output);
  for (const child of node.childNodes) write(child, output, isPreformatted || tag === 'pre');
  if (isBlock) breakLine(output);
  else if (tag === 'br') output.text += '\n';
  else if ((tag === 'td' || tag === 'th') && node.nextSibling !== null) output.text += '\t';
}

function writeText(data: string, output: Output, isPreformatted: boolean): void {
  const { read, start, end } = output;
  output.read += data.length;
  const part = data.slice(Math.max(0, start - read), Math.max(0, end - read));
  const text = isPreformatted ? part : part.replace(/[\t\n\f\r ]+/gu, ' ');
  output.text += isPreformatted || !/\s$/u.test(output.text) ? text : text.replace(/^ /u, '');
}

function breakLine(output: Output): void {
  if (output.text !== '' && !output.text.endsWith('\n')) output.text = `${output.text.trimEnd()}\n`;
}
