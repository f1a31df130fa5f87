import { useMemo, useState } from 'react';
import { type BlobPlace, type BlobSource, blobPath } from '#shared/conversation/blobReference.ts';
import { pictureType } from '#shared/mediaType.ts';
import { FileItem } from './FileItem.tsx';
import { pictureUrl } from './base/base64.ts';
import { clip } from '#shared/clip.ts';
import { NAME_LENGTH } from './base/splitIntoBlocks.ts';

interface Props {
  /** The image's file name. */
  readonly text: string;
  readonly blob: BlobSource;
  readonly place: BlobPlace;
}

/** Shows an image, or a download link when the blob is not an image that the browser can show. */
export function ImageItem({ text, blob, place }: Props) {
  const url = usePicture(blob, place);
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url === broken) return <FileItem text={text} blob={blob} place={place} />;
  return (
    <img
      className="picture"
      src={url}
      alt={clip(text, NAME_LENGTH) || 'Image'}
      decoding="async"
      onError={() => setBroken(url)}
    />
  );
}

/** Returns the URL of an image: a data URL, or the path to fetch it from. Returns `null` when the blob is not an image. */
function usePicture(blob: BlobSource, place: BlobPlace): string | null {
  const inline = useMemo(() => (typeof blob === 'string' ? pictureUrl(blob) : null), [blob]);
  if (typeof blob === 'string') return inline;
  return pictureType(blob.head) && blobPath(blob, place);
}
