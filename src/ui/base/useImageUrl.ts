import { useMemo } from 'react';
import { type BlobPlace, type BlobSource, blobPath, drawnType } from '#shared/conversation/blobReference.ts';

/** Returns the URL of an image: a data URL, or the path to fetch it from. Returns `null` when it is not drawn (`imageType`), or not base64. */
export function imageUrl(blob: BlobSource, place: BlobPlace): string | null {
  const type = drawnType(blob);
  if (type === null) return null;
  return typeof blob === 'string' ? `data:${type};base64,${blob}` : blobPath(blob, place);
}

/** Returns the URL from which a blob that is not drawn is saved; `null` when it is not base64. */
export const savedUrl = (blob: BlobSource, place: BlobPlace): string | null =>
  typeof blob === 'string' ? `data:application/octet-stream;base64,${blob}` : blobPath(blob, place);

/** Returns the URL of an image as `imageUrl`. Places are compared by their numbers. */
export function useImageUrl(blob: BlobSource, { message, item }: BlobPlace): string | null {
  return useMemo(() => imageUrl(blob, { message, item }), [blob, message, item]);
}
