import { decorateCode } from '#ui/code/decorateCode.ts';
import { itemText } from '#ui/export/messageText.ts';
import { itemMarkdown } from '#ui/export/messageMarkdown.ts';
import { createParser } from '#ui/markup/parseMarkup.ts';
import { sanitizeBody, sanitizeForExport } from '#ui/markup/sanitizeHtml.ts';
import { sanitizeInParts } from '#ui/markup/sanitizeInParts.ts';

const holder = document.createElement('div');

/** Returns sanitized markup as text. */
function resultOf(html: string): string | null {
  const result = sanitizeForExport(html);
  if (result === null || result === 'tooLarge') return result;
  holder.replaceChildren(result);
  return holder.innerHTML;
}

/** The end of an element that did not begin, which the parser drops. It makes markup too long to be parsed at once. */
const LONG = `</x-y${' '.repeat(10_000)}>`;

function convert(html: string, start = 0, end = Infinity) {
  const item = { category: 'html', html };
  return [itemText({ item, index: 0, start, end }), itemMarkdown(item)] as const;
}

/** Returns the texts of markup, each after the number of the list item around it. */
function numberedTexts(markup: Node): string {
  const texts = document.createTreeWalker(markup, NodeFilter.SHOW_TEXT);
  let all = '';
  while (texts.nextNode() !== null) {
    const item = texts.currentNode.parentElement?.closest('ol > li');
    const list = item?.parentElement;
    const before = Array.from(list?.querySelectorAll(':scope > li') ?? []).findIndex((one) => one === item);
    all += `${Number(list?.getAttribute('start') ?? 1) + before} ${texts.currentNode.nodeValue}\n`;
  }
  return all;
}

function bodyOf(html: string): Element {
  const parser = createParser(html);
  while (parser.parseNext());
  return parser.body;
}

/** Returns the texts of a page that is sanitized in parts, and at once, and the first part that continues an element. */
function numberBoth(html: string) {
  const parts = Array.from(sanitizeInParts(bodyOf(html))).filter((part) => part !== null);
  const atOnce = numberedTexts(sanitizeBody(bodyOf(html)));
  const continued = parts.findIndex((part) => part.querySelector('.continued') !== null);
  return [parts.map(numberedTexts).join(''), atOnce, continued] as const;
}

const sanitizers = {
  sanitizeBoth: (html: string) => [resultOf(LONG + html), resultOf(html)] as const,
  convert,
  numberBoth,
  decorateCode,
};

/** What the script of a page provides: conversions of markup, for a test. */
export type Sanitizers = typeof sanitizers;

Object.assign(globalThis, { sanitizers });
