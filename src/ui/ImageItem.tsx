import { useMemo, useState } from 'react';
import { FileItem } from './FileItem.tsx';
import { pictureUrl } from './base64.ts';

interface Props {
  /** Its file name. */
  readonly text: string;
  /** Base64. */
  readonly blob: string;
}

/** A picture; what is none, or cannot be drawn, is offered as a file. */
export function ImageItem({ text, blob }: Props) {
  const url = useMemo(() => pictureUrl(blob), [blob]);
  const [broken, setBroken] = useState<string | null>(null);
  if (url === null || url === broken) return <FileItem text={text} blob={blob} />;
  return (
    <img
      className="picture"
      src={url}
      alt={text || 'Image'}
      decoding="async"
      onError={() => setBroken(url)}
    />
  );
}
