import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { PlaceState } from '#shared/window/scroll.ts';

/** More new messages are not counted. */
export const MOST_COUNTED = 99;

/** Returns how many messages of others have arrived since the person left the newest message: at most one more than {@link MOST_COUNTED}. */
export function countNewMessages({ messages }: Conversation, { leftAt }: PlaceState): number {
  let count = 0;
  for (let i = leftAt ?? Infinity; i < messages.length && count <= MOST_COUNTED; i++)
    if (itemAt(messages, i)?.modifier !== 'client') count++;
  return count;
}

/**
 * Returns the index of the message before which the divider "New messages" is: the first by others after the place; `null` when there is none.
 * The first message has no divider, because everything would be new.
 */
export function dividerIndex({ messages }: Conversation, { leftAt, divider }: PlaceState): number | null {
  const place = leftAt !== null && messages.length > leftAt ? leftAt : divider;
  if (place === null || place === 0) return null;
  for (let index = place; index < messages.length; index++)
    if (itemAt(messages, index)?.modifier !== 'client') return index;
  return null;
}
