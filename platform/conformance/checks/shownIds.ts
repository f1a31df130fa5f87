import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';

/** Returns the person and the identifiers of all messages that a client shows. */
export const shownIds = (conversation: Conversation | undefined): readonly string[] => {
  if (conversation === undefined) return [];
  const { person, messages } = toSnapshot(conversation);
  return [person ?? '', ...messages.map(({ id = '' }) => id)];
};
