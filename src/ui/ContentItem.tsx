import { memo, useContext } from 'react';
import { blobHead, blobSource } from '#shared/conversation/blobReference.ts';
import { type Position, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import type { ContentItem as Item } from '#shared/protocol/update.ts';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import { AudioItem } from './AudioItem.tsx';
import { ClippedText } from './base/ClippedText.tsx';
import { ErrorBoundary } from './failure/ErrorBoundary.tsx';
import { FileItem } from './FileItem.tsx';
import { ImageItem } from './ImageItem.tsx';
import { ItemSource } from './failure/ItemSource.tsx';
import { useFoundIn } from './base/found.ts';
import { SafeHtml } from './markup/SafeHtml.tsx';
import { AudioControlsContext } from './audioControls.ts';
import { itemSource } from './failure/sourceText.ts';

interface Props {
  readonly item: Item;
  readonly position: Position;
  /** The index of its message. */
  readonly message: number;
  /** The index of the item in its message. */
  readonly index: number;
}

/** Shows one content item according to its category (spec §2.4). */
export const ContentItem = memo(function ContentItem({ item, position, message, index }: Props) {
  const kind = displayedCategory(item.category);
  return (
    <div className="item" data-category={item.category ?? 'file'} data-kind={kind} data-position={position}>
      <ErrorBoundary of={item} fallback={<FailedItem item={item} />}>
        <Drawn item={item} place={{ message, item: index }} />
      </ErrorBoundary>
    </div>
  );
});

/** Shows a message in place of an item that cannot be shown. */
function FailedItem({ item }: { readonly item: Item }) {
  return (
    <>
      <p className="item-text">This item cannot be shown.</p>
      <ItemSource sourceOf={() => itemSource(item)} />
    </>
  );
}

interface DrawnProps {
  readonly item: Item;
  readonly place: ItemPlace;
}

function Drawn({ item, place }: DrawnProps) {
  const kind = displayedCategory(item.category);
  switch (kind) {
    case 'text':
      return <FoundText item={item} place={place} />;
    case 'audio':
      return <Audio item={item} place={place} />;
    case 'html':
      return <SafeHtml html={item.html ?? ''} />;
    case 'image':
      return <ImageItem text={item.text ?? ''} blob={blobSource(item.blob)} place={place} />;
    case 'file':
      return <FileItem text={item.text ?? ''} blob={blobSource(item.blob)} place={place} />;
    default:
      return kind satisfies never;
  }
}

/** Shows a text, at least up to the current hit. */
function FoundText({ item, place }: DrawnProps) {
  const hit = useFoundIn(place.message);
  const shownTo = hit?.item === place.item ? hit.start : undefined;
  return <ClippedText text={displayedText(item.text)} hasLinks shownTo={shownTo} />;
}

function Audio({ item: { text, blob }, place }: DrawnProps) {
  const controls = useContext(AudioControlsContext);
  const playing = controls?.playing;
  const isPlaying = playing?.message === place.message && playing.item === place.item;
  return (
    <AudioItem
      text={text ?? ''}
      head={blobHead(blobSource(blob))}
      isPlaying={isPlaying}
      progress={isPlaying ? (controls?.progress ?? null) : null}
      onPlay={controls ? () => controls.play(place) : undefined}
      onStop={controls?.stop}
    />
  );
}
