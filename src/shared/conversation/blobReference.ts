import { imageType } from '../image/mediaType.ts';

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
