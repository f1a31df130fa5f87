import { sanitizeForExport } from '#ui/markup/sanitizeHtml.ts';

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

/** The script of a page: the results of markup that is parsed piece by piece, and at once, for a test. */
Object.assign(globalThis, { sanitizeBoth: (html: string) => [resultOf(LONG + html), resultOf(html)] });
