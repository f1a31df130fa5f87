/**
 * A blob that stayed in main: what a window has in its place. In a frame `blob` and `avatar` are strings or `null`
 * (the decoder rejects all else), so no frame can contain one.
 */
export interface BlobReference {
  /** The beginning of its base64, from which its media type is detected. */
  readonly head: string;
  /** A keyed hash of its bytes, in hex: a part of its address. `null` when it is not base64 and has no bytes. */
  readonly hash: string | null;
}

/** Base64, or the reference to it. */
export type BlobSource = string | BlobReference;

/** Which blob of the conversation: that of a content item, or the avatar of a message. */
export interface BlobPlace {
  readonly message: number;
  readonly item: number | 'avatar';
}

/** Where pages fetch blobs, in the address of our own pages. */
const BLOB_PATH = '/blob/';

/** The path of a blob, or `null` when it has no bytes. The same blob at the same place always has the same path. */
export const blobPath = ({ hash }: BlobReference, { message, item }: BlobPlace): string | null =>
  hash === null ? null : `${BLOB_PATH}${message}/${item}/${hash}`;

/** What a path asks for, or `undefined` when it is not the path of a blob. */
export function parseBlobPath(path: string): (BlobPlace & { readonly hash: string }) | undefined {
  const [, message, item, hash] = /^\/blob\/(\d{1,9})\/(\d{1,9}|avatar)\/([0-9a-f]{64})$/.exec(path) ?? [];
  if (message === undefined || item === undefined || hash === undefined) return undefined;
  return { message: Number(message), item: item === 'avatar' ? item : Number(item), hash };
}

/** What a field of a frame, or of a window's state, has as its blob; an empty string when it has none. */
export function blobSource(field: unknown): BlobSource {
  if (typeof field === 'string') return field;
  return isReference(field) ? field : '';
}

const isReference = (value: unknown): value is BlobReference =>
  typeof value === 'object' && value !== null && 'head' in value && 'hash' in value;

/** The beginning of the base64: enough for its media type. */
export const blobHead = (source: BlobSource): string => (typeof source === 'string' ? source : source.head);
