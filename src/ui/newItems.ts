import { currentMessage } from '#shared/conversation/applyUpdate.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';

/** A new content item and its message. */
interface NewItem {
  readonly item: ContentItem;
  readonly message: Message;
}

/** Maximum number of items that are announced at once. */
const MOST = 20;

/** How far back the last known message is looked for in a snapshot that begins later than before. */
const MOST_SEARCHED = 1000;

/**
 * Returns the content items that were added since `before`, in order: those of new messages, and those appended to the message that was
 * current. A snapshot of the same conversation that is received again, whole or from a later message on, has only the items after the known ones.
 * Returns `null` for another conversation (a first snapshot, or another person's): its items are not new.
 */
export function newItems(before: Conversation, after: Conversation): NewItem[] | null {
  const known = indexOfLastKnown(before, after);
  if (known === undefined) return null;
  const added =
    known === -1
      ? []
      : itemsFrom(itemAt(after.messages, known), currentMessage(before)?.content?.length ?? 0);
  const first = Math.max(known + 1, after.messages.length - MOST);
  const messages = Array.from({ length: Math.max(0, after.messages.length - first) }, (_, index) =>
    itemAt(after.messages, first + index),
  );
  return [...added, ...messages.flatMap((message) => itemsFrom(message, 0))].slice(-MOST);
}

/** Returns where the last message of `before` is in `after`: -1 when there was none, `undefined` for another conversation. */
function indexOfLastKnown(before: Conversation, after: Conversation): number | undefined {
  const last = currentMessage(before);
  if (last === undefined) {
    // A snapshot of several messages may be a first one; a message that is received is one.
    return before.person === after.person && after.messages.length <= 1 ? -1 : undefined;
  }
  const isLast = (index: number) => isSame(last, itemAt(after.messages, index));
  const index = before.messages.length - 1;
  if (isLast(index)) return index;
  if (last.id === undefined || before.person !== after.person) return undefined;
  const newest = Math.min(index, after.messages.length) - 1;
  for (let at = newest; at >= 0 && at > newest - MOST_SEARCHED; at--) if (isLast(at)) return at;
  return undefined;
}

/** Returns whether two messages are the same one at different times. Without an id, their first items must be equal. */
function isSame(before: Message, after: Message | undefined): boolean {
  if (after === undefined || before.id !== after.id) return false;
  if (before.id !== undefined || before.content === undefined || before.content.length < 2) return true;
  const [first, now] = [before, after].map(({ content }) => content && itemAt(content, 0));
  return first?.category === now?.category && first?.text === now?.text;
}

function itemsFrom(message: Message | undefined, start: number): NewItem[] {
  const content = message?.content;
  if (message === undefined || content === undefined) return [];
  const first = Math.max(start, content.length - MOST);
  return Array.from({ length: Math.max(0, content.length - first) }, (_, i) => ({
    item: itemAt(content, first + i) ?? {},
    message,
  }));
}
