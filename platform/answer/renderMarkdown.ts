import type { Element, Nodes, Root } from 'hast';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import type { Html, Image, Link, ListItem, Nodes as MarkdownNodes, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { type State, toHast } from 'mdast-util-to-hast';
import { gfm } from 'micromark-extension-gfm';
import { isAllowedAddress } from './plainProse.ts';

/** A definition is shown as text: the text that refers to it can be in another item. */
const NO_DEFINITIONS = { disable: { null: ['definition', 'gfmFootnoteDefinition', 'gfmFootnoteCall'] } };

/** The elements and attributes that Markdown needs. */
const SCHEMA: Schema = {
  tagNames: [
    'a blockquote br code del details em h1 h2 h3 h4 h5 h6 hr li ol p pre strong summary',
    'table tbody td th thead tr ul',
  ].flatMap((line) => line.split(' ')),
  attributes: {
    a: ['href'],
    code: [['className', /^language-./]],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
};

const text = (value: string) => ({ type: 'text', value }) as const;
const element = (tagName: string, children: Element['children']): Element => ({
  type: 'element',
  tagName,
  properties: {},
  children,
});
const link = (href: string, children: Element['children']): Element => ({
  ...element('a', children),
  properties: { href },
});

/** HTML is shown as text, except line breaks, which cells of tables need. */
const html = (_: State, { value }: Html) => (/^<br\s*\/?>$/i.test(value) ? element('br', []) : text(value));

const HANDLERS = {
  html,
  /** Nothing is loaded from elsewhere: an image is a link. */
  image: (_: State, { alt, url }: Image) =>
    isAllowedAddress(url) ? link(url, [text(alt || url)]) : text(alt ?? ''),
  link: (state: State, node: Link) =>
    isAllowedAddress(node.url) ? link(node.url, state.all(node)) : state.all(node),
};

/** Returns Markdown as sanitized elements. */
export function markdownElements(source: string): Root['children'] {
  const tree = fromMarkdown(source, {
    extensions: [gfm(), NO_DEFINITIONS],
    mdastExtensions: [gfmFromMarkdown()],
  });
  walk(tree);
  const hast = toHast(tree, { handlers: HANDLERS });
  return hast.type === 'root' ? hast.children : [];
}

/** Prepares the nodes: no cell of a table is lost, and a task's box is a character. */
function walk(node: MarkdownNodes): void {
  if (node.type === 'table') widen(node);
  if (node.type === 'listItem') checkToText(node);
  if ('children' in node) for (const child of node.children) walk(child);
}

/** Makes a table as wide as its longest row. */
function widen(table: Table): void {
  const width = Math.max(...table.children.map(({ children }) => children.length));
  const align = table.align ?? [];
  table.align = [...align, ...Array.from({ length: Math.max(0, width - align.length) }, () => null)];
}

/** Shows the box of a task as a character, because a form has no place in a message. */
function checkToText(item: ListItem): void {
  if (typeof item.checked !== 'boolean') return;
  const box = text(item.checked ? '☑ ' : '☐ ');
  const [first] = item.children;
  if (first?.type === 'paragraph') first.children.unshift(box);
  else item.children.unshift({ type: 'paragraph', children: [box] });
  item.checked = null;
}

/** Returns elements as HTML. Only the elements and attributes of Markdown remain. */
export const safeHtml = (children: Root['children']): string =>
  toHtml(sanitize({ type: 'root', children } satisfies Nodes, SCHEMA));
