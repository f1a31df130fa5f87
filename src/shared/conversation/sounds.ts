import type { ContentItem, Update } from '../protocol/update.ts';
import { currentMessage } from './applyUpdate.ts';
import { type BlobSource, blobSource } from './blobReference.ts';
import type { Conversation } from './conversation.ts';
import { itemAt } from './vector.ts';

/** Where a content item is: the index of its message and its index in that message. Ids may not be unique. */
export interface ItemPlace {
  readonly message: number;
  readonly item: number;
}

/** Whether an item is a sound: audio with something in it (spec §2.4). */
const isSound = ({ category, blob }: ContentItem): boolean => category === 'audio' && blobSource(blob) !== '';

/** A sound of the conversation, and whose message it is in. */
export interface Sound {
  readonly id: string;
  readonly blob: BlobSource;
}

/** The sound that stands at a place, or `undefined` when there is none. */
export function soundAt({ messages }: Conversation, place: ItemPlace): Sound | undefined {
  const message = itemAt(messages, place.message);
  const item = message?.content && itemAt(message.content, place.item);
  return item && isSound(item) ? { id: message.id ?? '', blob: blobSource(item.blob) } : undefined;
}

/**
 * Where the sound stands that an applied update has brought, if it brought one to be heard: of several the first, and
 * none of what the person said themselves, nor of a snapshot, which is what was.
 */
export function soundThatCame(conversation: Conversation, update: Update): ItemPlace | undefined {
  const current = currentMessage(conversation);
  if (current === undefined || current.modifier === 'client') return undefined;
  const message = conversation.messages.length - 1;
  const count = current.content?.length ?? 0;
  if (update.kind === 'content') return isSound(update.frame) ? { message, item: count - 1 } : undefined;
  if (update.kind !== 'message') return undefined;
  const item = update.frame.content?.findIndex(isSound) ?? -1;
  return item === -1 ? undefined : { message, item };
}
