import type { Message } from '#shared/conversation/conversation.ts';
import { PLACEHOLDER, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import { sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { sanitizeForExport } from '../markup/sanitizeHtml.ts';
import { splitLinks } from '../base/splitLinks.ts';
import { type RunPart, WHOLE_MESSAGE, runsOf } from './messageText.ts';

/**
 * Returns a message as Markdown: a line with its sender, then its items. Markdown is exactly as it was received; reasoning, which is collapsed, is left
 * out. An image, a sound or a file is its name.
 */
export function messageMarkdown(message: Message): string {
  const name = (message.context ?? '').replaceAll(/\s+/gu, ' ').trim();
  const items = runsOf(message, WHOLE_MESSAGE).flatMap(runMarkdown);
  if (items.length === 0) return '';
  return [...(name === '' ? [] : [`**${escapeInline(name)}**`]), ...items].join('\n\n');
}

function runMarkdown({ message: { content = emptyVector() }, run, items }: RunPart): readonly string[] {
  if (run.format === null) return items.map(({ item }) => itemMarkdown(item));
  return run.format === 'reasoning' ? [] : [displayedText(sourceOfRun(content, run).source)];
}

/** Returns a content item as Markdown. */
export function itemMarkdown({ category, text, html }: ContentItem): string {
  const kind = displayedCategory(category);
  switch (kind) {
    case 'text':
      return textMarkdown(displayedText(text));
    case 'audio':
      return `Sound: ${textMarkdown(displayedText(text))}`;
    case 'html':
      return htmlMarkdown(html ?? '');
    case 'image':
      return `Image: ${textMarkdown(text || 'without a name')}`;
    case 'file':
      return `File: ${textMarkdown(displayedText(text))}`;
    default:
      return kind satisfies never;
  }
}

/** Returns the source of markup that is too large to be converted. */
function htmlMarkdown(html: string): string {
  const fragment = sanitizeForExport(html);
  if (fragment === 'tooLarge') return codeBlock(html);
  return fragment === null ? PLACEHOLDER : markupMarkdown(fragment);
}

const BLOCKS = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul table'.split(
    ' ',
  ),
);
/** What is written around the content of inline elements. */
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '*',
  i: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const CODE = new Set(['code', 'kbd', 'samp']);

/** Converts sanitized markup of a message to Markdown (CommonMark, with the tables of GitHub). */
const markupMarkdown = (markup: ParentNode & Node): string => blocksOf(markup).join('\n\n');

/** Returns the blocks of a node. Consecutive inline nodes are a paragraph. */
function blocksOf(parent: Node): string[] {
  const blocks: string[] = [];
  let inline = '';
  const flush = () => {
    const text = paragraph(inline);
    if (text !== '') blocks.push(text);
    inline = '';
  };
  for (const node of parent.childNodes) {
    if (node instanceof Element && BLOCKS.has(node.localName)) {
      flush();
      const block = blockMarkdown(node);
      if (block !== '') blocks.push(block);
    } else inline += inlineMarkdown(node);
  }
  flush();
  return blocks;
}

/** Returns a paragraph of inline content, in which a line break is the only `\n`. */
const paragraph = (inline: string): string =>
  inline
    .trim()
    .split('\n')
    .map((line) => escapeLineStart(line.trim()))
    .join('\\\n');

function blockMarkdown(element: Element): string {
  switch (element.localName) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      return heading(element);
    case 'hr':
      return '---';
    case 'pre':
      return codeBlock(element.textContent, element.querySelector('code')?.dataset['language']);
    case 'blockquote':
      return prefixed(blocksOf(element).join('\n\n'), '> ');
    case 'ul':
    case 'ol':
      return list(element);
    case 'table':
      return tableMarkdown(element, (cell) => inlineOf(cell));
    default:
      return blocksOf(element).join('\n\n');
  }
}

function heading(element: Element): string {
  const text = inlineOf(element).replaceAll('\n', ' ').trim();
  return text === '' ? '' : `${'#'.repeat(Number(element.localName.charAt(1)))} ${text}`;
}

/** Returns a block of code, between lines of more backticks than it contains. */
function codeBlock(code: string, language = ''): string {
  const fence = '`'.repeat(Math.max(2, longestRun(code)) + 1);
  return `${fence}${language}\n${code.replace(/\n$/u, '')}\n${fence}`;
}

const longestRun = (code: string): number =>
  Math.max(0, ...Array.from(code.matchAll(/`+/gu), ([run]) => run.length));

function list(element: Element): string {
  const isOrdered = element.localName === 'ol';
  const start = Number(element.getAttribute('start') ?? 1);
  const first = Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1;
  return Array.from(element.children)
    .map((item, index) => {
      const marker = isOrdered ? `${first + index}. ` : '- ';
      const content = blockMarkdown(item);
      return marker + prefixed(content, ' '.repeat(marker.length)).trimStart();
    })
    .join('\n');
}

/** Returns a text with a prefix before each line; empty lines have no spaces at their end. */
const prefixed = (text: string, prefix: string): string =>
  text
    .split('\n')
    .map((line) => (prefix + line).trimEnd())
    .join('\n');

const inlineOf = (parent: Node): string => Array.from(parent.childNodes, inlineMarkdown).join('');

function inlineMarkdown(node: Node): string {
  if (node instanceof Text) return escapeInline(collapse(node.data));
  if (!(node instanceof Element)) return '';
  const tag = node.localName;
  const mark = MARKS[tag];
  if (tag === 'br') return '\n';
  if (tag === 'img') return escapeInline(collapse(node.getAttribute('alt') || 'Image'));
  if (CODE.has(tag)) return codeSpan(node.textContent);
  if (tag === 'a') return link(node);
  const content = inlineOf(node);
  if (mark !== undefined) return around(content, mark, mark);
  return BLOCKS.has(tag) || tag === 'td' || tag === 'th' ? ` ${content} ` : content;
}

function link(element: Element): string {
  const content = inlineOf(element);
  const address = element.getAttribute('href')?.trim();
  if (address === undefined) return content;
  return around(content, '[', `](<${encodeAddress(address)}>)`);
}

/** Encodes the characters that would end an address in Markdown. */
const encodeAddress = (address: string): string =>
  address.replaceAll(/[\s<>\\]/gu, (character) => encodeURIComponent(character));

const collapse = (text: string): string => text.replaceAll(/[\t\n\f\r ]+/gu, ' ');

/** Puts marks around a content, but not around the spaces at its ends: marks beside spaces are characters. */
function around(content: string, before: string, after: string): string {
  const {
    start = '',
    rest = '',
    end = '',
  } = /^(?<start>\s*)(?<rest>.*?)(?<end>\s*)$/su.exec(content)?.groups ?? {};
  return rest === '' ? content : start + before + rest + after + end;
}

function codeSpan(code: string): string {
  const text = collapse(code);
  if (text.trim() === '') return text;
  const fence = '`'.repeat(longestRun(text) + 1);
  const space = /^[ `]|[ `]$/u.test(text) ? ' ' : '';
  return fence + space + text + space + fence;
}

/** Returns a table as Markdown. Its first row is the head, because a table of Markdown has one. A table within a cell is text. */
function tableMarkdown(table: Element, cellMarkdown: (cell: Element) => string): string {
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

/** Matches what Markdown reads as more than a character, anywhere in a line. An underscore within a word is only a character. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?[a-z\d]+;)/giu;
/** Matches what would begin a block at the start of a line: a heading, a quotation, a list, a line or the row below a table's head. */
const BLOCK_START = /^(?:[-+](?=[\s-]|$)|#(?=#{0,5}(?:\s|$))|>|=(?==*\s*$)|:(?=-))/u;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/u;

/** Escapes a part of a line for Markdown: it shows its characters. */
export const escapeInline = (text: string): string => text.replaceAll(SPECIAL, String.raw`\$&`);

/** Escapes the beginning of a line, which is escaped otherwise, so that it begins no block. */
const escapeLineStart = (line: string): string =>
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
