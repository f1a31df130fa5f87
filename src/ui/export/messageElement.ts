import type { Message } from '#shared/conversation/conversation.ts';
import { PLACEHOLDER, displayedCategory, displayedText, sideOf } from '#shared/conversation/display.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { LINK_ATTRIBUTES, splitLinks } from '../base/splitLinks.ts';
import { sanitizeForExport } from '../markup/sanitizeHtml.ts';
import { setDirections } from '../markup/prepareMarkup.ts';
import { type ItemPart, type MessagePart, WHOLE_MESSAGE, itemText, itemsOf } from './messageText.ts';

/** The addresses of the pictures, sounds and files of a message, by the index of the item. An item without one is shown as its name. */
export type Addresses = ReadonlyMap<number, string>;

/** The media type of what is saved and not shown. */
export const FILE_TYPE = 'application/octet-stream';

const NO_ADDRESSES: Addresses = new Map();

interface Options {
  readonly part?: MessagePart;
  readonly addresses?: Addresses;
}

/** The page of the elements: nothing runs or loads in it. */
let page: Document | undefined;

/** Returns an element that shows a message outside the window: in an exported file, on paper, or in another program. It contains no style. */
export function messageElement(
  message: Message,
  { part = WHOLE_MESSAGE, addresses = NO_ADDRESSES }: Options = {},
): HTMLElement {
  const { context = '', modifier } = message;
  const sender = context === '' ? [] : [element('header', { dir: 'auto' }, element('strong', {}, context))];
  const items = itemsOf(message, part).map((one) => itemElement(one, addresses.get(one.index)));
  return element('article', { 'data-side': sideOf(modifier) }, ...sender, ...items);
}

function itemElement(one: ItemPart, address: string | undefined): HTMLElement {
  const { item, start, end } = one;
  const kind = displayedCategory(item.category);
  const isWhole = start === 0 && end === Infinity;
  if (kind === 'html') return isWhole ? markupElement(item.html ?? '') : textElement(itemText(one));
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
