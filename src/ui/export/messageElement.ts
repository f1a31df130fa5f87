import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Message } from '#shared/conversation/conversation.ts';
import { PLACEHOLDER, displayedCategory, displayedText, sideOf } from '#shared/conversation/display.ts';
import { sourceOfRun } from '#shared/conversation/markdownRuns.ts';
import { emptyVector } from '#shared/conversation/vector.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { LINK_ATTRIBUTES, splitLinks } from '../base/splitLinks.ts';
import { StaticMarkdown } from '../markdown/Markdown.tsx';
import { sanitizeForExport } from '../markup/sanitizeHtml.ts';
import { setDirections } from '../markup/prepareMarkup.ts';
import {
  type ItemPart,
  type MessagePart,
  type RunPart,
  WHOLE_MESSAGE,
  isWholeItem,
  itemText,
  runsOf,
  textsOfRun,
} from './messageText.ts';

/** The addresses of the pictures, sounds and files of a message, by the index of the item. An item without one is shown as its name. */
export type Addresses = ReadonlyMap<number, string>;

/** The media type of what is saved and not shown. */
export const FILE_TYPE = 'application/octet-stream';

const NO_ADDRESSES: Addresses = new Map();

interface Options {
  readonly part?: MessagePart;
  readonly addresses?: Addresses;
  /** Whether the reasoning is a part of it, collapsed as in the window. */
  readonly hasReasoning?: boolean;
}

/** The page of the elements: nothing runs or loads in it. */
let page: Document | undefined;

/** Returns an element that shows a message outside the window: in an exported file, on paper, or in another program. It contains no style. */
export function messageElement(
  message: Message,
  { part = WHOLE_MESSAGE, addresses = NO_ADDRESSES, hasReasoning = false }: Options = {},
): HTMLElement {
  const { context = '', modifier } = message;
  const sender = context === '' ? [] : [element('header', { dir: 'auto' }, element('strong', {}, context))];
  const items = runsOf(message, part).flatMap((run) => {
    if (run.run.format === null) return run.items.map((one) => itemElement(one, addresses.get(one.index)));
    return run.run.format === 'reasoning' && run.isWhole && !hasReasoning ? [] : runElements(run);
  });
  return element('article', { 'data-side': sideOf(modifier) }, ...sender, ...items);
}

/** Returns the elements of a run of Markdown, or of reasoning, which is collapsed; of a part of a run, its text. */
function runElements(part: RunPart): readonly HTMLElement[] {
  if (!part.isWhole) return textsOfRun(part).map((text) => textElement(text));
  const drawn = markdownElement(sourceOfRun(part.message.content ?? emptyVector(), part.run).source);
  if (part.run.format !== 'reasoning') return [drawn];
  return [element('details', {}, element('summary', {}, 'Reasoning'), drawn)];
}

/** Returns Markdown as the window draws it, without its buttons. */
function markdownElement(source: string): HTMLElement {
  const drawn = element('div', { dir: 'auto', 'data-kind': 'markdown' });
  const root = createRoot(drawn);
  flushSync(() => root.render(createElement(StaticMarkdown, { source })));
  const nodes = Array.from(drawn.childNodes, (node) => node.cloneNode(true));
  root.unmount();
  return nodes.length === 0
    ? textElement(PLACEHOLDER)
    : element('div', { dir: 'auto', 'data-kind': 'markdown' }, ...nodes);
}

function itemElement(one: ItemPart, address: string | undefined): HTMLElement {
  const { item } = one;
  const kind = displayedCategory(item.category);
  if (kind === 'html') return isWholeItem(one) ? markupElement(item.html ?? '') : textElement(itemText(one));
  if (kind === 'text' || address === undefined) return textElement(itemText(one), kind);
  const name = displayedText(item.text);
  if (kind === 'image' && !address.startsWith(`data:${FILE_TYPE}`))
    return element('figure', {}, element('img', { src: address, alt: item.text || 'Image' }));
  if (kind === 'audio')
    return element(
      'div',
      {},
      textElement(name),
      element('audio', { src: address, controls: '', preload: 'none' }),
    );
  return element('p', { dir: 'auto' }, element('a', { href: address, download: safeFileName(name) }, name));
}

/** Returns a paragraph with the lines and the links of a text. */
const textElement = (text: string, kind = 'text'): HTMLElement =>
  element('p', { dir: 'auto', 'data-kind': kind }, ...text.split('\n').flatMap(lineNodes));

function lineNodes(line: string, index: number): (Node | string)[] {
  const nodes = splitLinks(line).map(({ text, isLink }) =>
    isLink ? element('a', { href: text, ...LINK_ATTRIBUTES }, text) : text,
  );
  return index === 0 ? nodes : [element('br', {}), ...nodes];
}

/** Returns sanitized markup, or its source when it is too large. */
function markupElement(html: string): HTMLElement {
  const fragment = sanitizeForExport(html);
  if (fragment === 'tooLarge') return element('pre', { dir: 'auto' }, html);
  if (fragment === null) return textElement(PLACEHOLDER);
  setDirections(fragment);
  return element('div', { dir: 'auto', 'data-kind': 'html' }, fragment);
}

/** Creates an element of an inert page. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElement {
  page ??= document.implementation.createHTMLDocument();
  const created = page.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}
