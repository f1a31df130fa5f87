import type { Snapshot } from '../protocol/update.ts';
import type { Conversation } from './conversation.ts';
import { itemAt } from './vector.ts';

/**
 * Returns how many of a snapshot's first messages the conversation contains already: those that have the same id at the same index. A snapshot
 * after a reconnect repeats the known messages.
 */
export function countKnownMessages({ messages }: Conversation, snapshot: Snapshot): number {
  const ids = snapshot.messages ?? [];
  let count = 0;
  while (count < ids.length) {
    const id = ids[count]?.id;
    if (id === undefined || id !== itemAt(messages, count)?.id) break;
    count++;
  }
  return count;
}
