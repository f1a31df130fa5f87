import type { Conversation } from '#shared/conversation/conversation.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { hasArrived } from '../export/hasArrived.ts';
import type { SelectedRange } from './selectedRange.ts';

/** More messages are copied after the event. */
const MESSAGES = 1000;
/** More items are copied after the event. */
const ITEMS = 2000;
/** Longer markup is copied after the event. In UTF-16 units. */
const MARKUP_LENGTH = 500_000;

/** Returns whether a copy would block the window, or whether some of its messages have not arrived. */
export function isLong(conversation: Conversation, { from, to }: SelectedRange): boolean {
  if (to.row - from.row >= MESSAGES || !hasArrived(conversation, from.row)) return true;
  let items = 0;
  let length = 0;
  for (let { row } = from; row <= to.row; row++) {
    const content = itemAt(conversation.messages, row)?.content ?? emptyVector();
    items += content.length;
    if (items > ITEMS) return true;
    for (let at = 0; at < content.length; at++) length += itemAt(content, at)?.html?.length ?? 0;
  }
  return length > MARKUP_LENGTH;
}
