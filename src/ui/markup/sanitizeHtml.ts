import createDOMPurify, { type Config, type DOMPurify } from 'dompurify';
import { imagePixels } from '#shared/image/imageSize.ts';
import { HTML_CELLS, IMAGE_PIXELS } from '#shared/limits.ts';
import { isCostlyText } from '../base/longText.ts';
import { LINK_ATTRIBUTES } from '../base/splitLinks.ts';
import { codeLanguage } from '../code/codeLanguage.ts';
import { markupPolicy, parseMarkup } from './parseMarkup.ts';

const TAGS: ReadonlySet<string> = new Set(
  [
    'a abbr b bdi bdo br cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup',
    'time tt u var wbr img blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre',
    'summary ul caption col colgroup table tbody td tfoot th thead tr',
  ].flatMap((line) => line.split(' ')),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src alt title width height colspan rowspan scope dir lang start reversed value datetime open'.split(
    ' ',
  ),
);

/**
 * The allowed elements and attributes. Everything else is removed: class, id, style, role, name, data and aria attributes, forms, frames,
 * scripts, style sheets, SVG, MathML, and landmarks, which belong to the window. Of the classes of code, the language is kept, as `data-language`.
 */
const CONFIG = {
  // The body itself is sanitized; parsers create no body within it.
  ALLOWED_TAGS: ['body', ...TAGS],
  ALLOWED_ATTR: [...ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // The name that `parseMarkup` gives templates.
  ADD_FORBID_CONTENTS: ['x-template'],
  RETURN_DOM_FRAGMENT: true,
} as const satisfies Config;

// Without the flag `u`, which makes `ſ` an `s`.
const LINK = /^(?:https?:\/\/|mailto:)/i;
/** Images must be in the message: nothing is loaded from elsewhere. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;

/** Returns whether an attribute with an address is allowed. */
const isAllowedAddress = (attribute: string, value: string): boolean => {
  if (attribute === 'href') return LINK.test(value.trim());
  return attribute !== 'src' || (PICTURE.test(value.trim()) && picturePixels(value) <= IMAGE_PIXELS);
};

/** Returns the number of pixels of an image with a data address. */
function picturePixels(address: string): number {
  const base64 = address
    .slice(address.indexOf(',') + 1)
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return imagePixels(base64.trim()) ?? Infinity;
}

/** The languages that the classes of code elements name. */
const languages = new WeakMap<Element, string>();

/** Keeps the language that a class of a code element names. */
function keepLanguage(element: Element, classes: string): void {
  const language = element.nodeName === 'CODE' ? codeLanguage(classes) : null;
  if (language !== null) languages.set(element, language);
}

/** Sets the attributes that are Parley's: the language of code, and where a link opens. Limits numbers. */
function setOwnAttributes(element: Element): void {
  limitNumbers(element);
  const language = languages.get(element);
  if (language !== undefined) element.setAttribute('data-language', language);
  if (element.nodeName !== 'A' || !element.hasAttribute('href')) return;
  for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) element.setAttribute(name, value);
}

let purifier: DOMPurify | undefined;

/** Returns Parley's own DOMPurify: all users of an instance share its hooks. It is created at the first use, because it needs a window. */
function purify(): DOMPurify {
  if (purifier) return purifier;
  purifier = createDOMPurify(window);
  purifier.setConfig({ ...CONFIG, TRUSTED_TYPES_POLICY: markupPolicy() });
  purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
    if (attribute.attrName === 'class') keepLanguage(element, attribute.attrValue);
    attribute.keepAttr = isAllowedAddress(attribute.attrName, attribute.attrValue);
  });
  purifier.addHook('afterSanitizeAttributes', setOwnAttributes);
  return purifier;
}

/** Returns the allowed part of a message's HTML (spec §2.4); `null` when nothing of it is visible, `tooLarge` when it is over a limit. */
export function sanitizeHtml(html: string): DocumentFragment | null | 'tooLarge' {
  const body = parseMarkup(html);
  if (body === null) return 'tooLarge';
  const fragment = sanitizeBody(body);
  if (!isVisible(fragment)) return null;
  // A browser would take seconds to lay out the text or to decode the images.
  const isCostly = isCostlyText(plainText(fragment)) || allPixels(fragment) > IMAGE_PIXELS;
  return isCostly ? 'tooLarge' : fragment;
}

/**
 * Returns the same as `sanitizeHtml`, and `tooLarge` also for markup that DOMPurify refuses, because it cannot change the tree safely: one
 * message must not end an export.
 */
export function sanitizeForExport(html: string): DocumentFragment | null | 'tooLarge' {
  try {
    return sanitizeHtml(html);
  } catch {
    return 'tooLarge';
  }
}

const allPixels = (fragment: DocumentFragment): number =>
  Array.from(fragment.querySelectorAll('img'), ({ src }) => picturePixels(src)).reduce(
    (sum, pixels) => sum + pixels,
    0,
  );

/** Returns all texts that are laid out, including the alternative texts of images. */
const plainText = (fragment: DocumentFragment): string =>
  [
    fragment.textContent,
    ...Array.from(fragment.querySelectorAll('[alt]'), (one) => one.getAttribute('alt')),
  ].join('\n');

/** Returns the allowed part of a body's content. Replaces pictures that are not in the message by their texts, and limits the size of tables. */
export function sanitizeBody(body: Element): DocumentFragment {
  const fragment = purify().sanitize(body, CONFIG);
  for (const picture of fragment.querySelectorAll('img:not([src])'))
    picture.replaceWith(picture.getAttribute('alt') ?? '');
  limitSpans(fragment);
  return fragment;
}

/** Returns whether something of sanitized markup is visible. */
export const isVisible = (fragment: DocumentFragment): boolean =>
  fragment.textContent.trim() !== '' || fragment.querySelector('img, hr') !== null;

/** Maximum values of attributes whose value is work for the layout, or the height of the message. */
const MOST: Readonly<Record<string, number>> = { colspan: 1000, rowspan: 1000, width: 10_000, height: 2000 };

/** Lowers the numbers of an element's attributes to what the layout can do. */
function limitNumbers(element: Element): void {
  for (const [name, most] of Object.entries(MOST))
    if (Number.parseFloat(element.getAttribute(name) ?? '') > most) element.setAttribute(name, String(most));
}

/**
 * Makes each cell of sanitized markup as large as one if all cells together would cover more than a limit: a browser works for each place in the rows and columns
 * of a table, and 150 cells can cover millions.
 */
export function limitSpans(markup: ParentNode): void {
  const spans = markup.querySelectorAll('[colspan], [rowspan]');
  if (spans.length === 0 || coveredPlaces(markup) <= HTML_CELLS) return;
  for (const cell of spans) {
    cell.removeAttribute('colspan');
    cell.removeAttribute('rowspan');
  }
}

/** Returns the number of places in all tables: the product of their rows and columns. */
function coveredPlaces(markup: ParentNode): number {
  const tables = new Map<Node | null, TableSize>();
  for (const cell of markup.querySelectorAll('td, th')) {
    const table = cell.closest('table');
    const size = tables.get(table) ?? new TableSize();
    tables.set(table, size);
    size.add(cell);
  }
  return Array.from(tables.values()).reduce((sum, { places }) => sum + places, 0);
}

/** Counts the rows and columns of a table, to which cells are added in order. */
class TableSize {
  #row: Node | null = null;
  #rows = 0;
  #columns = 0;
  /** The columns that cells of this row and of the rows before it cover in this row. */
  #width = 0;
  /** The cells of earlier rows that reach further rows. */
  #open: { readonly columns: number; readonly lastRow: number }[] = [];

  get places(): number {
    return this.#rows * this.#columns;
  }

  add(cell: Element): void {
    if (cell.parentNode !== this.#row) this.#beginRow(cell.parentNode);
    const columns = spanOf(cell, 'colspan');
    const rows = spanOf(cell, 'rowspan');
    this.#width += columns;
    this.#columns = Math.max(this.#columns, this.#width);
    if (rows > 1) this.#open.push({ columns, lastRow: this.#rows + rows - 1 });
  }

  #beginRow(row: Node | null): void {
    this.#row = row;
    this.#rows += 1;
    this.#open = this.#open.filter(({ lastRow }) => lastRow >= this.#rows);
    this.#width = this.#open.reduce((sum, { columns }) => sum + columns, 0);
  }
}

/** Returns how many columns or rows a cell covers. A cell with no rows covers all that follow. */
function spanOf(cell: Element, name: string): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return value === 0 && name === 'rowspan' ? Infinity : Math.max(1, value || 1);
}
