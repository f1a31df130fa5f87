import { sanitizeHtml } from '../markup/sanitizeHtml.ts';
import { markupParts, textOfParts } from './markupParts.ts';

/** Returns the visible text of a message's markup; an empty text when nothing is visible, and for markup that is shown on request only. */
export function readMarkup(html: string): string {
  const fragment = sanitizeHtml(html);
  return fragment instanceof DocumentFragment ? textOfParts(markupParts(fragment)) : '';
}
