import { displayedCategory } from '#shared/conversation/display.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { HTML_LENGTH } from './SafeHtml.tsx';
import { clipped } from './clip.ts';
import { sanitizeHtml } from './sanitizeHtml.ts';

/** Longer texts are announced by their beginning. */
const SPOKEN_LENGTH = 500;

/** What a screen reader is told of a new content item; empty when there is nothing to tell yet. */
export function spokenText(item: ContentItem): string {
  return clipped(wordsOf(item).trim(), SPOKEN_LENGTH);
}

function wordsOf({ category, text, html }: ContentItem): string {
  const kind = displayedCategory(category);
  switch (kind) {
    case 'text':
    case 'audio':
      return text ?? '';
    case 'html':
      return htmlWords(html ?? '');
    case 'image':
      return `Image: ${text ?? ''}`;
    case 'file':
      return `File: ${text ?? ''}`;
    default:
      return kind satisfies never;
  }
}

const htmlWords = (html: string): string =>
  html.length > HTML_LENGTH ? 'A long page' : (sanitizeHtml(html)?.textContent ?? '');
