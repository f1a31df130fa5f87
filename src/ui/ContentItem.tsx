import { memo } from 'react';
import { type Position, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import type { ContentItem as Item } from '#shared/protocol/update.ts';
import { ClippedText } from './ClippedText.tsx';
import { FileItem } from './FileItem.tsx';
import { ImageItem } from './ImageItem.tsx';
import { SafeHtml } from './SafeHtml.tsx';
import { SpeakerIcon } from './icons.tsx';

interface Props {
  readonly item: Item;
  readonly position: Position;
}

/** One content item, drawn as its category asks (spec §2.4). */
export const ContentItem = memo(function ContentItem({ item, position }: Props) {
  const kind = displayedCategory(item.category);
  return (
    <div className="item" data-category={item.category ?? 'file'} data-kind={kind} data-position={position}>
      <Drawn item={item} />
    </div>
  );
});

function Drawn({ item }: { readonly item: Item }) {
  const kind = displayedCategory(item.category);
  switch (kind) {
    case 'text':
      return <ClippedText text={displayedText(item.text)} />;
    case 'audio':
      return (
        <>
          <SpeakerIcon />
          <ClippedText text={displayedText(item.text)} />
        </>
      );
    case 'html':
      return <SafeHtml html={item.html ?? ''} />;
    case 'image':
      return <ImageItem text={item.text ?? ''} blob={item.blob ?? ''} />;
    case 'file':
      return <FileItem text={item.text ?? ''} blob={item.blob ?? ''} />;
    default:
      return kind satisfies never;
  }
}
