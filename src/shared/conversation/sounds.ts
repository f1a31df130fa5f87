import type { ContentItem, Update } from '../protocol/update.ts';
import { currentMessage } from './applyUpdate.ts';
import { type BlobSource, blobSource } from './blobReference.ts';
import type { Conversation } from './conversation.ts';
import { itemAt } from './vector.ts';

/** The place of a content item: the index of its message, and its index in the message. Message ids are not always unique. */
export interface ItemPlace {
  readonly message: number;
  readonly item: number;
}

/** Returns whether an item is a sound: audio with data (spec §2.4). */
const isSound = ({ category, blob }: ContentItem): boolean => category === 'audio' && blobSource(blob) !== '';

/** A sound of the conversation, with the id of its message. */
interface Sound {
  readonly id: string;
  readonly blob: BlobSource;
}

/** Returns the sound at a place, or `undefined` when there is none. */
export function soundAt({ messages }: Conversation, place: ItemPlace): Sound | undefined {
  const message = itemAt(messages, place.message);
  const item = message?.content && itemAt(message.content, place.item);
  return item && isSound(item) ? { id: message.id ?? '', blob: blobSource(item.blob) } : undefined;
}

/**
 * Returns the place of the first sound that an applied update added, or `undefined`. Sounds of the person's own messages and of snapshots
 * are not new.
 */
export function findNewSound(conversation: Conversation, update: Update): ItemPlace | undefined {
  const current = currentMessage(conversation);
  if (current === undefined || current.modifier === 'client') return undefined;
  const message = conversation.messages.length - 1;
  const count = current.content?.length ?? 0;
  if (update.kind === 'content') return isSound(update.frame) ? { message, item: count - 1 } : undefined;
  if (update.kind !== 'message') return undefined;
  const item = update.frame.content?.findIndex(isSound) ?? -1;
  return item === -1 ? undefined : { message, item };
}
