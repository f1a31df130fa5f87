import { markupPolicy } from './parseMarkup.ts';
import {
  isAllowedAttribute,
  isAllowedTag,
  keepLanguage,
  sanitizeHtml,
  setOwnAttributes,
  visibleMarkup,
  withinLimits,
} from './sanitizeHtml.ts';

/** Longer markup is sanitized as in the window. In UTF-16 units. */
const SHORT = 10_000;
/** With so few tags the parser cannot repeat elements often (`parseMarkup`). */
const MOST_TAGS = 50;

let holder: Element | undefined;

/**
 * Returns the same as `sanitizeHtml`, and `tooLarge` also for markup that cannot be sanitized. Short markup that contains allowed elements only takes
 * a fifth of the time: it needs no page of its own. For many messages, of a copy or an export.
 */
export function sanitizeQuickly(html: string): DocumentFragment | null | 'tooLarge' {
  const quick = isShort(html) ? parseAllowed(html) : undefined;
  if (quick !== undefined) return quick;
  try {
    return sanitizeHtml(html);
  } catch {
    // DOMPurify refuses trees that it cannot change safely. One message must not end an export.
    return 'tooLarge';
  }
}

const isShort = (html: string): boolean =>
  html.length <= SHORT && html.split('<', MOST_TAGS + 2).length <= MOST_TAGS + 1;

const trusted = (html: string): string => markupPolicy()?.createHTML(html) ?? html;

/** Creates an element of an inert document without a document type, like that of a page that `sanitizeHtml` parses: there a paragraph can contain a table. */
const createHolder = (): Element =>
  new DOMParser().parseFromString(trusted(''), 'text/html').createElement('div');

/** Parses markup in an inert document; returns `undefined` when it contains an element that is not allowed. */
function parseAllowed(html: string): DocumentFragment | null | 'tooLarge' | undefined {
  holder ??= createHolder();
  holder.innerHTML = trusted(html);
  const fragment = holder.ownerDocument.createDocumentFragment();
  fragment.append(...holder.childNodes);
  const nodes = holder.ownerDocument.createTreeWalker(fragment);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (node instanceof Text) continue;
    if (!(node instanceof Element) || !isAllowedTag(node)) return undefined;
    for (const attribute of Array.from(node.attributes)) {
      // The element stays a custom one without the attribute.
      if (attribute.name === 'is') return undefined;
      if (attribute.name === 'class') keepLanguage(node, attribute.value);
      if (!isAllowedAttribute(attribute)) node.removeAttributeNode(attribute);
      else if (!isPlain(attribute)) return undefined;
    }
    setOwnAttributes(node);
  }
  return withinLimits(visibleMarkup(fragment));
}

const PLAIN = /^[\p{L}\p{N} .,_%+-]*$/u;

/** Returns whether DOMPurify has no rule about the value of an allowed attribute. */
const isPlain = ({ name, value, ownerElement }: Attr): boolean =>
  PLAIN.test(value) ||
  (name === 'href' && ownerElement?.localName === 'a') ||
  (name === 'src' && ownerElement?.localName === 'img');
