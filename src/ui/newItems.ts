import { currentMessage } from '#shared/conversation/applyUpdate.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';

/** Maximum number of items that are announced at once. */
const MOST = 20;

/**
 * Returns the content items that were added since `before`, in order: those of new messages, and those appended to the message that was
 * current. Returns `null` for another conversation (a first snapshot, or another person's): its items are not new.
 */
export function newItems(before: Conversation, after: Conversation): ContentItem[] | null {
  const count = before.messages.length;
  if (!isContinued(before, after)) return null;
  const current = currentMessage(before);
  const added =
    count === 0 ? [] : itemsFrom(itemAt(after.messages, count - 1), current?.content?.length ?? 0);
  const first = Math.max(count, after.messages.length - MOST);
  const messages = Array.from({ length: Math.max(0, after.messages.length - first) }, (_, index) =>
    itemAt(after.messages, first + index),
  );
  return [...added, ...messages.flatMap((message) => itemsFrom(message, 0))].slice(-MOST);
}

/** Returns whether `after` continues `before`: the last message of `before` is still at its index. */
function isContinued(before: Conversation, after: Conversation): boolean {
  const count = before.messages.length;
  if (count === 0) return before.person === after.person && after.messages.length <= 1;
  return itemAt(after.messages, count - 1)?.id === currentMessage(before)?.id;
}

function itemsFrom(message: Message | undefined, start: number): ContentItem[] {
  const content = message?.content;
  if (content === undefined) return [];
  const first = Math.max(start, content.length - MOST);
  return Array.from(
    { length: Math.max(0, content.length - first) },
    (_, i) => itemAt(content, first + i) ?? {},
  );
}
