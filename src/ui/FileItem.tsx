import { useLayoutEffect, useMemo, useRef } from 'react';
import { displayedText } from '#shared/conversation/display.ts';
import { safeFileName } from '#shared/safeFileName.ts';
import { bytesOf } from './base64.ts';
import { FileIcon } from './icons.tsx';

interface Props {
  /** Its file name. */
  readonly text: string;
  /** Base64. */
  readonly blob: string;
}

/** A file to save (spec §2.4): a link named by its file name. */
export function FileItem({ text, blob }: Props) {
  const file = useMemo(() => fileOf(blob), [blob]);
  if (file === null) return <p className="words">{displayedText(text)} cannot be read.</p>;
  return <FileLink name={text} file={file} />;
}

/** The file that base64 holds; `null` when it is none. */
function fileOf(base64: string): Blob | null {
  const bytes = bytesOf(base64);
  return bytes && new Blob([bytes], { type: 'application/octet-stream' });
}

function FileLink({ name, file }: { readonly name: string; readonly file: Blob }) {
  const link = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(file);
    link.current?.setAttribute('href', address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return (
    // The address is the effect's, which also takes it back.
    // oxlint-disable-next-line jsx-a11y/anchor-is-valid
    <a ref={link} className="file" download={safeFileName(name)}>
      <FileIcon />
      <span className="file-name">{displayedText(name)}</span>
    </a>
  );
}
