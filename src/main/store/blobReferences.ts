import { createHmac, randomBytes } from 'node:crypto';
import type { BlobReference } from '#shared/conversation/blobReference.ts';
import { imageType } from '#shared/image/mediaType.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';

/** A key of this run, so that other programs cannot derive a blob's address from its bytes. */
const KEY = randomBytes(32);
/** How many characters of the base64 a reference contains: enough for every media type. */
const HEAD_LENGTH = 32;

/** The references of content items: a blob is hashed once, however often it is fetched. */
const cache = new WeakMap<ContentItem, BlobReference>();

/** Returns whether a blob stays in main. */
const isLong = (blob: string | null | undefined): blob is string =>
  typeof blob === 'string' && blob.length > INLINE_BLOB_LENGTH;

/** Decodes base64; returns `null` when it is not valid. Accepts what `atob` accepts in a window, and is faster. */
export function decodeBlob(blob: string): Buffer | null {
  const text = blob.replace(/[\t\n\f\r ]+/g, '');
  const digits = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits)) return null;
  return Buffer.from(digits, 'base64');
}

/** Returns the reference to a blob; equal blobs have equal references. */
export function blobReference(blob: string): BlobReference {
  const bytes = decodeBlob(blob);
  const hash = bytes && createHmac('sha256', KEY).update(bytes).digest('hex');
  return { head: blob.slice(0, HEAD_LENGTH), hash, image: bytes && imageType(blob) };
}

/** Returns the reference to an item's blob; caches it. */
export function itemBlobReference(item: ContentItem): BlobReference {
  const reference = cache.get(item) ?? blobReference(item.blob ?? '');
  cache.set(item, reference);
  return reference;
}

/** Returns a content item as a window receives it. */
export const itemForWindows = (item: ContentItem): object =>
  isLong(item.blob) ? { ...item, blob: itemBlobReference(item) } : item;

/** Returns a message as a window receives it: long blobs are references. */
export function messageForWindows(message: Message): object {
  const { avatar, content } = message;
  const hasLong = isLong(avatar) || content?.some(({ blob }) => isLong(blob)) === true;
  if (!hasLong) return message;
  return {
    ...message,
    ...(isLong(avatar) && { avatar: blobReference(avatar) }),
    ...(content && { content: content.map(itemForWindows) }),
  };
}

/** Returns the total length of the blobs that stay in main, in characters of base64. */
export const longBlobsLength = ({ avatar, content = [] }: Message): number =>
  [avatar, ...content.map(({ blob }) => blob)]
    .filter(isLong)
    .reduce((length, blob) => length + blob.length, 0);
