import type { Message } from '#shared/conversation/conversation.ts';
import { PLACEHOLDER, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { sanitizeQuickly } from '../markup/sanitizeQuickly.ts';
import { escapeInline, textMarkdown } from './escapeMarkdown.ts';
import { codeBlock, markupMarkdown } from './markupMarkdown.ts';
import { WHOLE_MESSAGE, itemsOf } from './messageText.ts';

/** Returns a message as Markdown: a line with its sender, then its items. An image, a sound or a file is its name. */
export function messageMarkdown(message: Message): string {
  const name = (message.context ?? '').replaceAll(/\s+/gu, ' ').trim();
  const items = itemsOf(message, WHOLE_MESSAGE).map(({ item }) => itemMarkdown(item));
  if (items.length === 0) return '';
  return [...(name === '' ? [] : [`**${escapeInline(name)}**`]), ...items].join('\n\n');
}

/** Returns a content item as Markdown. */
export function itemMarkdown({ category, text, html }: ContentItem): string {
  const kind = displayedCategory(category);
  switch (kind) {
    case 'text':
      return textMarkdown(displayedText(text));
    case 'audio':
      return `Sound: ${textMarkdown(displayedText(text))}`;
    case 'html':
      return htmlMarkdown(html ?? '');
    case 'image':
      return `Image: ${textMarkdown(text || 'without a name')}`;
    case 'file':
      return `File: ${textMarkdown(displayedText(text))}`;
    default:
      return kind satisfies never;
  }
}

/** Returns the source of markup that is too large to be converted. */
function htmlMarkdown(html: string): string {
  const fragment = sanitizeQuickly(html);
  if (fragment === 'tooLarge') return codeBlock(html);
  return fragment === null ? PLACEHOLDER : markupMarkdown(fragment);
}
