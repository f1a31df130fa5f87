import { type Ref, useLayoutEffect, useMemo, useRef } from 'react';
import { type BlobPlace, type BlobSource, blobPath } from '#shared/conversation/blobReference.ts';
import { displayedText } from '#shared/conversation/display.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { Name } from './base/Name.tsx';
import { FileIcon } from './base/icons.tsx';

interface Props {
  /** The file's name. */
  readonly text: string;
  readonly blob: BlobSource;
  readonly place: BlobPlace;
}

/** Shows a file as a download link with its name (spec §2.4). */
export function FileItem({ text, blob, place }: Props) {
  if (typeof blob === 'string') return <InlineFile name={text} blob={blob} />;
  const path = blobPath(blob, place);
  return path === null ? <Unreadable name={text} /> : <FileLink name={text} href={path} />;
}

function InlineFile({ name, blob }: { readonly name: string; readonly blob: string }) {
  const file = useMemo(() => fileOf(blob), [blob]);
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    if (file === null) return undefined;
    const address = URL.createObjectURL(file);
    link.current?.setAttribute('href', address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  // The effect sets the address and revokes it.
  return file === null ? <Unreadable name={name} /> : <FileLink name={name} ref={link} />;
}

/** Decodes a file from base64; returns `null` when the text is not base64. */
function fileOf(base64: string): Blob | null {
  const bytes = decodeBase64(base64);
  return bytes && new Blob([bytes], { type: 'application/octet-stream' });
}

interface LinkProps {
  readonly name: string;
  readonly href?: string;
  readonly ref?: Ref<HTMLAnchorElement>;
}

const FileLink = ({ name, href, ref }: LinkProps) => (
  <a ref={ref} href={href} className="file" download={safeFileName(name)}>
    <FileIcon />
    <bdi>
      <Name text={displayedText(name)} />
    </bdi>
  </a>
);

const Unreadable = ({ name }: { readonly name: string }) => (
  <p className="item-text">
    <bdi>
      <Name text={displayedText(name)} />
    </bdi>{' '}
    cannot be read.
  </p>
);
