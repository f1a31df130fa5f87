import type { Message } from '#shared/conversation/conversation.ts';
import { emptyVector, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';

/** Returns the source of a content item: its markup, or the whole item as JSON. */
export const itemSource = (item: ContentItem): string =>
  item.category === 'html' ? (item.html ?? '') : JSON.stringify(item, null, 2);

/** Returns the source of a message: the whole message as JSON. */
export const messageSource = (message: Message): string =>
  JSON.stringify({ ...message, content: toArray(message.content ?? emptyVector()) }, null, 2);
