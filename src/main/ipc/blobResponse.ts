import { type BlobPlace, parseBlobPath } from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { audioType, imageType } from '#shared/image/mediaType.ts';
import { pictureType } from '#shared/image/imageSize.ts';
import { decodeBlob, itemBlobReference, blobReference } from '../store/blobReferences.ts';

/**
 * Returns the response to a request for a blob that a window has by reference (docs/adr/0012): its bytes, with a media type
 * only for a picture or sound that Parley shows. Its policy runs no script of an SVG that is opened as a document. Returns `undefined` when the path does not name a blob, or the blob is no
 * longer at that place in the conversation.
 */
export function blobResponse(conversation: Conversation, path: string): Response | undefined {
  const requested = parseBlobPath(path);
  const found = requested && blobAt(conversation, requested);
  if (found === undefined || found.hash !== requested?.hash) return undefined;
  const bytes = decodeBlob(found.blob);
  return new Response(bytes && new Uint8Array(bytes), {
    headers: {
      'content-type': typeOf(found),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
}

interface FoundBlob {
  /** Base64. */
  readonly blob: string;
  readonly hash: string | null;
  /** Whether it is a content item of the category `image`, which the window shows as an `img`. */
  readonly isImage: boolean;
}

const typeOf = ({ blob, isImage }: FoundBlob): string =>
  (isImage ? imageType(blob) : (pictureType(blob) ?? audioType(blob))) ?? 'application/octet-stream';

function blobAt({ messages }: Conversation, { message: index, item: at }: BlobPlace): FoundBlob | undefined {
  const message = itemAt(messages, index);
  if (at === 'avatar')
    return message?.avatar
      ? { blob: message.avatar, hash: blobReference(message.avatar).hash, isImage: false }
      : undefined;
  const item = message?.content && itemAt(message.content, at);
  if (!item?.blob) return undefined;
  return { blob: item.blob, hash: itemBlobReference(item).hash, isImage: item.category === 'image' };
}
