import { escapeInline, escapeLineStart } from './escapeMarkdown.ts';
import { tableMarkdown } from './tableMarkdown.ts';

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
export const markupMarkdown = (markup: ParentNode & Node): string => blocksOf(markup).join('\n\n');

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
export function codeBlock(code: string, language = ''): string {
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
  return BLOCKS.has(tag) ? ` ${content} ` : content;
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
