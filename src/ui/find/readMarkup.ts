import { sanitizeHtml } from '../markup/sanitizeHtml.ts';
import { isMarkupBlock } from '../export/messageText.ts';
import { trustedHtml } from '../markup/parseMarkup.ts';
import { markupParts, textOfParts } from './itemParts.ts';

/**
 * Returns the visible text of a message's markup; an empty text when nothing is visible. Of markup that is shown on request only, returns the text of its
 * source. Yields where the work can pause.
 */
export function* readMarkup(html: string): Generator<void, string> {
  const fragment = sanitizeHtml(html);
  if (fragment === 'tooLarge') return yield* sourceText(html);
  return fragment === null ? '' : textOfParts(markupParts(fragment));
}

/** Elements whose content messages do not show. */
const HIDDEN = 'head|title|script|style|template|noscript|noembed|noframes|iframe|svg|math|audio|video|xmp';
/**
 * Matches a comment, an element that is not shown, or a tag, whose name is the second group. Each character is read once. The parts of a tag are limited,
 * because each takes memory of the expression's stack.
 */
const HIDDEN_OR_TAG = new RegExp(
  String.raw`<!--[^]*?(?:-->|$)|<(${HIDDEN})(?=[\s/>])[^]*?(?:</\1(?=[\s/>])[^>]*>|$)|</?([a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^"'>]+){0,1000}>?|<[!?/][^>]*>?`,
  'giu',
);
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);?/giu;

/** Number of tags after which the work can pause. */
const TAGS_IN_STEP = 1000;

/**
 * Returns the text of markup that is too large to be parsed for a search, as its source says: unlike a parser, it does not repair the markup. Yields
 * where the work can pause.
 */
export function* sourceText(html: string): Generator<void, string> {
  const decode = createDecoder();
  const texts: string[] = [];
  let end = 0;
  let tags = 0;
  for (const { 0: match, 2: tag, index } of html.matchAll(HIDDEN_OR_TAG)) {
    if (index > end) texts.push(decode(html.slice(end, index)));
    if (tag !== undefined && isSeparate(tag.toLowerCase())) texts.push('\n');
    end = index + match.length;
    if (++tags % TAGS_IN_STEP === 0) yield;
  }
  texts.push(decode(html.slice(end)));
  return texts.join('');
}

const isSeparate = (tag: string): boolean =>
  isMarkupBlock(tag) || tag === 'br' || tag === 'td' || tag === 'th';

/** Returns a function that replaces character references. The browser knows their names. */
function createDecoder(): (text: string) => string {
  const known = new Map<string, string>();
  let holder: Element | undefined;
  const decodeOne = (reference: string) => {
    holder ??= new DOMParser().parseFromString(trustedHtml(''), 'text/html').body;
    holder.innerHTML = trustedHtml(reference);
    const decoded = holder.textContent;
    known.set(reference, decoded);
    return decoded;
  };
  return (text) => text.replaceAll(REFERENCE, (reference) => known.get(reference) ?? decodeOne(reference));
}
