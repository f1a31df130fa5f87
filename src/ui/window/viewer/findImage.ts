import { type BlobSource, blobSource, type ItemPlace } from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { displayedCategory } from '#shared/conversation/display.ts';
import { itemAt } from '#shared/conversation/vector.ts';

/** An image of the conversation. */
export interface FoundImage {
  readonly place: ItemPlace;
  /** Its file name; may be empty. */
  readonly name: string;
  readonly blob: BlobSource;
}

/** Returns the image at a place, or `undefined` when there is none. */
export function imageAt({ messages }: Conversation, place: ItemPlace): FoundImage | undefined {
  const content = itemAt(messages, place.message)?.content;
  const item = content && itemAt(content, place.item);
  if (item === undefined || displayedCategory(item.category) !== 'image') return undefined;
  const blob = blobSource(item.blob);
  const isReadable = typeof blob === 'string' ? blob !== '' : blob.hash !== null;
  return isReadable ? { place, name: item.text ?? '', blob } : undefined;
}

/** Returns the place of the next image after a place (`step` 1) or of the previous one (-1); `undefined` when there is none. */
export function nextImage(conversation: Conversation, from: ItemPlace, step: 1 | -1): ItemPlace | undefined {
  const { messages } = conversation;
  let item = from.item + step;
  for (let message = from.message; message >= 0 && message < messages.length; message += step) {
    const count = itemAt(messages, message)?.content?.length ?? 0;
    // In another message than the first one, the search begins at its end.
    if (message !== from.message) item = step === 1 ? 0 : count - 1;
    for (; item >= 0 && item < count; item += step)
      if (imageAt(conversation, { message, item }) !== undefined) return { message, item };
  }
  return undefined;
}
