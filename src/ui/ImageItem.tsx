import { type CSSProperties, useContext, useMemo, useState } from 'react';
import { type BlobSource, blobHead } from '#shared/conversation/blobReference.ts';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import { clip } from '#shared/clip.ts';
import { FileItem } from './FileItem.tsx';
import { NAME_LENGTH } from './base/splitIntoBlocks.ts';
import { type ImageSize, imageSize } from '#shared/image/imageSize.ts';
import { OpenImageContext } from './image/openImage.ts';
import { useImageUrl } from './image/useImageUrl.ts';

interface Props {
  /** The image's file name. */
  readonly text: string;
  readonly blob: BlobSource;
  readonly place: ItemPlace;
}

/**
 * Shows whatever the window can draw as an image (spec §2.4), and a download link for anything else. It is always an `img`: scripts of an
 * SVG do not run there, and it loads nothing. A press opens it in the viewer.
 */
export function ImageItem({ text, blob, place }: Props) {
  const url = useImageUrl(blob, place);
  const open = useContext(OpenImageContext);
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url === broken) return <FileItem text={text} blob={blob} place={place} />;
  const image = <Picture key={url} url={url} name={text} blob={blob} onBroken={() => setBroken(url)} />;
  if (open === null) return <div className="picture-frame">{image}</div>;
  return (
    <button type="button" className="picture-frame" aria-haspopup="dialog" onClick={() => open(place)}>
      {image}
    </button>
  );
}

interface PictureProps {
  readonly url: string;
  readonly name: string;
  readonly blob: BlobSource;
  readonly onBroken: () => void;
}

/** Shows an image. Until it is decoded, its place is reserved: with the size in its header, or else with a usual one. */
function Picture({ url, name, blob, onBroken }: PictureProps) {
  const header = useMemo(() => imageSize(blobHead(blob)), [blob]);
  const [decoded, setDecoded] = useState<ImageSize | null>(null);
  const size = decoded ?? header;
  const loaded = async (image: HTMLImageElement) => {
    // The browser draws a large image later than it has loaded it. One that it cannot decode in advance is drawn as far as it can.
    await image.decode().catch(() => undefined);
    setDecoded({ width: image.naturalWidth || 300, height: image.naturalHeight || 150 });
  };
  return (
    <img
      className="picture"
      src={url}
      alt={clip(name, NAME_LENGTH) || 'Image'}
      decoding="async"
      data-loading={decoded === null || undefined}
      style={size === null ? undefined : sizeStyle(size)}
      onLoad={({ currentTarget }) => void loaded(currentTarget)}
      onError={onBroken}
    />
  );
}

/** Returns the size for the style sheet, which limits it. */
const sizeStyle = ({ width, height }: ImageSize): CSSProperties =>
  Object.assign({ maxWidth: '' }, { '--width': width, '--height': height });
