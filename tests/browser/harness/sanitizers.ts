import { sanitizeHtml } from '#ui/markup/sanitizeHtml.ts';
import { sanitizeQuickly } from '#ui/markup/sanitizeQuickly.ts';

const holder = document.createElement('div');

/** Returns the result of a sanitizer as text; markup that it cannot sanitize is `tooLarge`, as in an export. */
function resultOf(sanitize: typeof sanitizeHtml, html: string): string | null {
  try {
    const result = sanitize(html);
    if (result === null || result === 'tooLarge') return result;
    holder.replaceChildren(result);
    return holder.innerHTML;
  } catch {
    return 'tooLarge';
  }
}

/** The script of a page: the results of both sanitizers, for a test. */
Object.assign(globalThis, {
  sanitizeBoth: (html: string) => [resultOf(sanitizeHtml, html), resultOf(sanitizeQuickly, html)],
});
