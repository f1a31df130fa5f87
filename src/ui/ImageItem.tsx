import { useMemo, useState } from 'react';
import { type BlobPlace, type BlobSource, blobPath } from '#shared/conversation/blobReference.ts';
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

/**
 * Shows whatever the window can draw as an image (spec §2.4), and a download link for anything else. It is always an `img`: scripts of an
 * SVG do not run there, and it loads nothing.
 */
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

/** Returns the URL of an image: a data URL, or the path to fetch it from. Returns `null` when there is no blob, or it is not base64. */
function usePicture(blob: BlobSource, place: BlobPlace): string | null {
  const inline = useMemo(() => (typeof blob === 'string' ? pictureUrl(blob) : null), [blob]);
  if (typeof blob === 'string') return inline;
  return blobPath(blob, place);
}
