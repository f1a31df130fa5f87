import type { Snapshot } from '../protocol/update.ts';
import type { Conversation } from './conversation.ts';
import { itemAt } from './vector.ts';

/**
 * Returns how many of a snapshot's first messages the conversation contains already: those that have the same id at the same index. A snapshot
 * after a reconnect repeats the known messages.
 */
export function countKnownMessages({ messages }: Conversation, { messages: received }: Snapshot): number {
  if (received === undefined) return 0;
  const firstNew = received.findIndex(
    ({ id }, index) => id === undefined || id !== itemAt(messages, index)?.id,
  );
  return firstNew === -1 ? received.length : firstNew;
}
