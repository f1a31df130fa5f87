import {
  type CSSProperties,
  type Ref,
  createContext,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type ItemPlace, type BlobSource, blobHead, blobPath } from '#shared/conversation/blobReference.ts';
import { clip } from '#shared/formatText.ts';
import { type ImageSize, imageSize } from '#shared/image/imageSize.ts';
import { displayedText } from '#shared/conversation/display.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { NAME_LENGTH } from './base/longText.ts';
import { useImageUrl } from './base/useImageUrl.ts';
import { ItemCommandsContext } from './base/itemCommands.ts';
import { Name } from './base/ClippedText.tsx';
import { FileIcon } from './base/icons.tsx';
import { FileText } from './FileText.tsx';

/** Opens the image at a place in the viewer; `null` where there is no viewer. */
export const OpenImageContext = createContext<((place: ItemPlace) => void) | null>(null);

interface ItemProps {
  /** The name of the file. */
  readonly text: string;
  readonly blob: BlobSource;
  readonly place: ItemPlace;
}

/**
 * Shows whatever the window can draw as an image (spec §2.4), and a download link for anything else. It is always an `img`: scripts of an
 * SVG do not run there, and it loads nothing. A press opens it in the viewer.
 */
export function ImageItem({ text, blob, place }: ItemProps) {
  const url = useImageUrl(blob, place);
  const open = useContext(OpenImageContext);
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url === broken) return <Download text={text} blob={blob} place={place} />;
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

/** Shows a file as a download link with its name (spec §2.4), and the first lines of a text file. */
export const FileItem = (item: ItemProps) => (
  <>
    <Download {...item} />
    <FileText blob={item.blob} place={item.place} />
  </>
);

/** Shows a file as a download link with its name. */
function Download({ text, blob, place }: ItemProps) {
  if (typeof blob === 'string') return <InlineFile name={text} blob={blob} place={place} />;
  const path = blobPath(blob, place);
  return path === null ? <Unreadable name={text} /> : <FileLink name={text} href={path} place={place} />;
}

interface LinkProps {
  readonly name: string;
  readonly place: ItemPlace;
  readonly href?: string;
  readonly ref?: Ref<HTMLAnchorElement>;
}

function InlineFile({ name, blob, place }: LinkProps & { readonly blob: string }) {
  const bytes = useMemo(() => decodeBase64(blob), [blob]);
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (bytes === null) return undefined;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    link.current?.setAttribute('href', address);
    return () => URL.revokeObjectURL(address);
  }, [bytes]);
  return bytes === null ? <Unreadable name={name} /> : <FileLink name={name} place={place} ref={link} />;
}

function FileLink({ name, place, href, ref }: LinkProps) {
  const commands = useContext(ItemCommandsContext);
  const saved = () => commands?.saved({ ...place, by: 'link', outcome: 'started' });
  return (
    <a ref={ref} href={href} className="file" download={safeFileName(name)} onClick={saved}>
      <FileIcon />
      <bdi>
        <Name text={displayedText(name)} />
      </bdi>
    </a>
  );
}

const Unreadable = ({ name }: { readonly name: string }) => (
  <p className="item-text">
    <bdi>
      <Name text={displayedText(name)} />
    </bdi>{' '}
    cannot be read.
  </p>
);
