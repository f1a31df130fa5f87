import { useMemo } from 'react';
import { type BlobPlace, type BlobSource, blobPath } from '#shared/conversation/blobReference.ts';
import { pictureUrl } from '../base/base64.ts';

/** Returns the URL of an image: a data URL, or the path to fetch it from. Returns `null` when there is no blob, or it is not base64. */
export function useImageUrl(blob: BlobSource, place: BlobPlace): string | null {
  const inline = useMemo(() => (typeof blob === 'string' ? pictureUrl(blob) : null), [blob]);
  if (typeof blob === 'string') return inline;
  return blobPath(blob, place);
}
