import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { MISSING_MESSAGE } from '#shared/conversation/conversationPart.ts';
import { displayedCategory, displayedText } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { markupText } from './markupText.ts';
import type { SelectedRange } from './selectedRange.ts';

/**
 * Returns a part of the conversation as plain text: for each message a line with its sender and a colon, then its items, and an empty line
 * between messages. An image or a file is its name.
 */
export function conversationText({ messages }: Conversation, range: SelectedRange): string {
  const texts: string[] = [];
  for (let row = range.from.row; row <= range.to.row; row++) {
    const message = itemAt(messages, row);
    const text = message === undefined ? '' : messageText(message, row, range);
    if (text !== '') texts.push(text);
  }
  return texts.join('\n\n');
}

function messageText(message: Message, row: number, { from, to }: SelectedRange): string {
  if (message === MISSING_MESSAGE) return 'Loading…';
  const { context = '', content = emptyVector() } = message;
  const lines: string[] = [];
  const first = row === from.row ? from.item : 0;
  const last = Math.min(row === to.row ? to.item : Infinity, content.length - 1);
  for (let at = first; at <= last; at++) {
    const start = row === from.row && at === from.item ? from.offset : 0;
    const end = row === to.row && at === to.item ? to.offset : Infinity;
    const text = start < end ? itemText(itemAt(content, at) ?? {}, start, end) : '';
    if (text !== '') lines.push(text);
  }
  if (lines.length > 0 && context !== '') lines.unshift(`${context}:`);
  return lines.join('\n');
}

function itemText({ category, text, html }: ContentItem, start: number, end: number): string {
  const kind = displayedCategory(category);
  if (kind === 'html') return markupText(html ?? '', start, end);
  return (kind === 'image' ? text || 'Image' : displayedText(text)).slice(start, end);
}
