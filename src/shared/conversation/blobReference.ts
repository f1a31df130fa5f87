import { imageType } from '../image/mediaType.ts';
import type { ContentItem, Update } from '../protocol/update.ts';
import { currentMessage } from './applyUpdate.ts';
import type { Conversation } from './conversation.ts';
import { itemAt } from './vector.ts';

/**
 * Replaces a long blob in the state of a window; the blob stays in main. In a frame, `blob` and `avatar` are strings or `null` (the
 * decoder rejects other types), so no frame contains a reference.
 */
export interface BlobReference {
  /** The beginning of the blob's base64, for the detection of its media type. */
  readonly head: string;
  /** A keyed hash of the blob's bytes, in hex: a part of its path. `null` when the blob is not base64. */
  readonly hash: string | null;
  /** The media type with which it is drawn as an image; `null` when it is not (`imageType`). */
  readonly image: string | null;
}

/** A blob as base64, or a reference to it. */
export type BlobSource = string | BlobReference;

/** The place of a blob in the conversation: a content item, or the avatar of a message. */
export interface BlobPlace {
  readonly message: number;
  readonly item: number | 'avatar';
}

/** The beginning of a blob's path, on the origin of Parley's pages. */
const BLOB_PATH = '/blob/';

/** Returns the path of a blob, or `null` when it is not base64. The same blob at the same place always has the same path. */
export const blobPath = ({ hash }: BlobReference, { message, item }: BlobPlace): string | null =>
  hash === null ? null : `${BLOB_PATH}${message}/${item}/${hash}`;

/** Parses the path of a blob; returns `undefined` for any other path. */
export function parseBlobPath(path: string): (BlobPlace & { readonly hash: string }) | undefined {
  const [, message, item, hash] = /^\/blob\/(\d{1,9})\/(\d{1,9}|avatar)\/([0-9a-f]{64})$/.exec(path) ?? [];
  if (message === undefined || item === undefined || hash === undefined) return undefined;
  return { message: Number(message), item: item === 'avatar' ? item : Number(item), hash };
}

/** Returns the blob in a field of a frame or of a window's state; an empty string when there is none. */
export function blobSource(field: unknown): BlobSource {
  if (typeof field === 'string') return field;
  return isReference(field) ? field : '';
}

const isReference = (value: unknown): value is BlobReference =>
  typeof value === 'object' && value !== null && 'head' in value && 'hash' in value;

/** Returns the media type with which a blob is drawn as an image; `null` when it is not (`imageType`). */
export const drawnType = (source: BlobSource): string | null =>
  typeof source === 'string' ? imageType(source) : source.image;

/** Returns at least the beginning of the base64, which is enough to detect the media type. */
export const blobHead = (source: BlobSource): string => (typeof source === 'string' ? source : source.head);

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
