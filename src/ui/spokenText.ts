import { displayedCategory } from '#shared/conversation/display.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import { clip } from '#shared/clip.ts';
import { NAME_LENGTH } from './base/splitIntoBlocks.ts';
import { hasTime } from './base/runInSlices.ts';
import { sanitizeHtml } from './markup/sanitizeHtml.ts';

/** Longer texts are clipped to this length. In UTF-16 units. */
const SPOKEN_LENGTH = 500;
/** Longer markup is announced as a long page. In UTF-16 units. */
const SPOKEN_HTML_LENGTH = 20_000;

/**
 * Returns the announcement of a new content item: its message's sender and its text. It is empty when the item has no text yet, and when the
 * person wrote the message.
 */
export function spokenText(
  item: ContentItem,
  { modifier, context }: Pick<Message, 'modifier' | 'context'>,
): string {
  if (modifier === 'client') return '';
  const text = clip(plainText(item).trim(), SPOKEN_LENGTH);
  return context && text !== '' ? `${clip(context, NAME_LENGTH)}: ${text}` : text;
}

function plainText({ category, text, html }: ContentItem): string {
  const kind = displayedCategory(category);
  switch (kind) {
    case 'text':
    case 'audio':
      return text ?? '';
    case 'html':
      return htmlText(html ?? '');
    case 'image':
      return `Image: ${text ?? ''}`;
    case 'file':
      return `File: ${text ?? ''}`;
    default:
      return kind satisfies never;
  }
}

/** Returns the text of markup, or a replacement when extracting it would take long. */
function htmlText(html: string): string {
  const fragment = html.length <= SPOKEN_HTML_LENGTH && hasTime() ? sanitizeHtml(html) : 'tooLarge';
  return fragment === 'tooLarge' ? 'A long page' : (fragment?.textContent ?? '');
}
