import { useMemo, useState } from 'react';
import { type BlobSource, blobPath, drawnType } from '#shared/conversation/blobReference.ts';

interface Props {
  readonly source: BlobSource;
  /** The index of the message. */
  readonly message: number;
}

/** Shows a small picture of the sender, if it is a PNG (spec §2.5). */
export function Avatar({ source, message }: Props) {
  const isPicture = useMemo(() => drawnType(source) === 'image/png', [source]);
  const [broken, setBroken] = useState<BlobSource | null>(null);
  const address =
    typeof source === 'string'
      ? `data:image/png;base64,${source}`
      : blobPath(source, { message, item: 'avatar' });
  if (!isPicture || address === null || broken === source) return null;
  return (
    <img className="avatar" src={address} alt="" width={20} height={20} onError={() => setBroken(source)} />
  );
}
