import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type ContentItem, type Message, type Update } from '#shared/protocol/update.ts';

/** Returns a complete content item (spec §2.4). */
export const item = (text: string, fields: ContentItem = {}) => ({
  category: 'text',
  text,
  html: null,
  blob: null,
  ...fields,
});

/** Returns a complete message (spec §2.5) with one content item whose text is its id. */
export const message = (id: string, fields: Message = {}) => ({
  id,
  modifier: 'ai',
  content: [item(id)],
  context: 'Assistant',
  avatar: '',
  seen: false,
  ...fields,
});

/** Decodes a frame. @throws when it is not an update. */
export function updateOf(frame: object): Update {
  const update = decodeUpdate(JSON.stringify(frame));
  if (update.kind === 'rejected') throw new Error(`not an update: ${update.reason} at ${update.where}`);
  return update;
}

/** Folds frames into a conversation. */
export const conversationOf = (...frames: readonly object[]): Conversation =>
  frames.map(updateOf).reduce(applyUpdate, emptyConversation);

/** Returns a capture's record of a frame from the platform. */
export const recv = (t: number, frame: unknown): FrameRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify(frame),
});
