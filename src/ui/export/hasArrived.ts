import type { Conversation } from '#shared/conversation/conversation.ts';
import { MISSING_MESSAGE } from '#shared/conversation/conversationPart.ts';
import { itemAt } from '#shared/conversation/vector.ts';

/** Returns whether the messages from an index on have arrived in the window; the newest ones arrive first. */
export const hasArrived = ({ messages }: Conversation, from: number): boolean =>
  itemAt(messages, from) !== MISSING_MESSAGE;
