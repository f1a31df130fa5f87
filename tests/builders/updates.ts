import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';

/** A content item of spec §2.4, complete. */
export const item = (text: string, fields: ContentItem = {}) => ({
  category: 'text',
  text,
  html: null,
  blob: null,
  ...fields,
});

/** A message of spec §2.5, complete, with one content item that says its id. */
export const message = (id: string, fields: Message = {}) => ({
  id,
  modifier: 'ai',
  content: [item(id)],
  context: 'Assistant',
  avatar: '',
  seen: false,
  ...fields,
});

/** What a frame means; it must be an update. */
export function updateOf(frame: object): Update {
  const update = decodeUpdate(JSON.stringify(frame));
  if (update.kind === 'rejected') throw new Error(`no update: ${update.reason} at ${update.where}`);
  return update;
}

/** The conversation that some frames make, one after another. */
export const conversationOf = (...frames: readonly object[]): Conversation =>
  frames.map(updateOf).reduce(applyUpdate, emptyConversation);
