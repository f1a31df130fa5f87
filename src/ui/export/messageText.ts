import type { Message } from '#shared/conversation/conversation.ts';
import { displayedCategory, displayedText } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { markupText } from './markupText.ts';

/** A place in a message, between two characters of an item. */
export interface PlaceInMessage {
  /** The index of the item; infinite after the message's last one. */
  readonly item: number;
  /** The number of characters of the item before the place, in UTF-16 units; infinite at the item's end. */
  readonly offset: number;
}

/** A part of a message. */
export interface MessagePart {
  readonly from: PlaceInMessage;
  readonly to: PlaceInMessage;
}

/** The part that is the whole message. */
export const WHOLE_MESSAGE: MessagePart = {
  from: { item: 0, offset: 0 },
  to: { item: Infinity, offset: 0 },
};

/** A content item, and the part of it. */
export interface ItemPart {
  readonly item: ContentItem;
  /** The index of the item in its message. */
  readonly index: number;
  /** The offset of the first character, in UTF-16 units. */
  readonly start: number;
  /** The offset after the last character; infinite at the item's end. */
  readonly end: number;
}

/** Returns whether a message has items. One without any is shown nowhere. */
export const hasItems = ({ content }: Message): boolean => content !== undefined && content.length > 0;

/** Returns the items of a part of a message. */
export function itemsOf(
  { content = emptyVector() }: Message,
  { from, to }: MessagePart,
): readonly ItemPart[] {
  const items: ItemPart[] = [];
  const last = Math.min(to.item, content.length - 1);
  for (let index = from.item; index <= last; index++) {
    const start = index === from.item ? from.offset : 0;
    const end = index === to.item ? to.offset : Infinity;
    if (start < end) items.push({ item: itemAt(content, index) ?? {}, index, start, end });
  }
  return items;
}

/** Returns a message as plain text: a line with its sender and a colon, then its items. An image or a file is its name. */
export function messageText(message: Message, part: MessagePart = WHOLE_MESSAGE): string {
  const { context = '' } = message;
  const lines = itemsOf(message, part)
    .map(itemText)
    .filter((text) => text !== '');
  if (lines.length > 0 && context !== '') lines.unshift(`${context}:`);
  return lines.join('\n');
}

/** Returns a part of an item as plain text. */
export function itemText({ item: { category, text, html }, start, end }: Omit<ItemPart, 'index'>): string {
  const kind = displayedCategory(category);
  if (kind === 'html') return markupText(html ?? '', start, end);
  return (kind === 'image' ? text || 'Image' : displayedText(text)).slice(start, end);
}
