import { sanitizeHtml } from '../markup/sanitizeHtml.ts';
import { markupParts, textOfParts } from './markupParts.ts';
import { sourceText } from './sourceText.ts';

/**
 * Returns the visible text of a message's markup; an empty text when nothing is visible. Of markup that is shown on request only, returns the text of its
 * source. Yields where the work can pause.
 */
export function* readMarkup(html: string): Generator<void, string> {
  const fragment = sanitizeHtml(html);
  if (fragment === 'tooLarge') return yield* sourceText(html);
  return fragment === null ? '' : textOfParts(markupParts(fragment));
}
