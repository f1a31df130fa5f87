import { type BlobPlace, parseBlobPath } from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { audioType, pictureType } from '#shared/mediaType.ts';
import { decodeBlob, itemBlobReference, blobReference } from '../store/blobReferences.ts';

/**
 * Returns the response to a request for a blob that a window has by reference (docs/adr/0012): its bytes, with a media type
 * only for a picture or sound that Parley shows. Returns `undefined` when the path does not name a blob, or the blob is no
 * longer at that place in the conversation.
 */
export function blobResponse(conversation: Conversation, path: string): Response | undefined {
  const requested = parseBlobPath(path);
  const found = requested && blobAt(conversation, requested);
  if (found === undefined || found.hash !== requested?.hash) return undefined;
  const bytes = decodeBlob(found.blob);
  return new Response(bytes && new Uint8Array(bytes), {
    headers: {
      'content-type': pictureType(found.blob) ?? audioType(found.blob) ?? 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
}

interface FoundBlob {
  /** Base64. */
  readonly blob: string;
  readonly hash: string | null;
}

function blobAt({ messages }: Conversation, { message: index, item: at }: BlobPlace): FoundBlob | undefined {
  const message = itemAt(messages, index);
  if (at === 'avatar')
    return message?.avatar ? found(message.avatar, blobReference(message.avatar)) : undefined;
  const item = message?.content && itemAt(message.content, at);
  return item?.blob ? found(item.blob, itemBlobReference(item)) : undefined;
}

const found = (blob: string, { hash }: { readonly hash: string | null }): FoundBlob => ({ blob, hash });
