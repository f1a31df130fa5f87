import { createContext, memo, useContext, useMemo } from 'react';
import { blobHead, blobSource, type ItemPlace } from '#shared/conversation/blobReference.ts';
import { type Position, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import type { ContentItem as Item } from '#shared/protocol/update.ts';
import type { SoundProgress } from '#shared/actions/windowSchemas.ts';
import { audioType } from '#shared/image/mediaType.ts';
import { ClippedText } from './base/ClippedText.tsx';
import { ErrorBoundary } from './base/ErrorBoundary.tsx';
import { FileItem, ImageItem } from './ImageItem.tsx';
import { ItemOfMessageContext, useFoundIn } from './base/itemCommands.ts';
import { ItemSource, itemSource } from './base/ItemSource.tsx';
import { SafeHtml } from './markup/SafeHtml.tsx';
import { PlayIcon, SpeakerIcon, StopIcon } from './base/icons.tsx';

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
  const whole = useContext(ItemOfMessageContext);
  const ofMessage = useMemo(() => whole && { ...whole, item: index }, [whole, index]);
  return (
    <div className="item" data-category={item.category ?? 'file'} data-kind={kind} data-position={position}>
      <ItemOfMessageContext value={ofMessage}>
        <ErrorBoundary of={item} fallback={<FailedItem item={item} />}>
          <Drawn item={item} place={{ message, item: index }} />
        </ErrorBoundary>
      </ItemOfMessageContext>
    </div>
  );
});

/** Shows a message in place of an item that cannot be shown. */
const FailedItem = ({ item }: { readonly item: Item }) => (
  <>
    <p className="item-text">This item cannot be shown.</p>
    <ItemSource sourceOf={() => itemSource(item)} />
  </>
);

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

/** Shows audio (spec §2.4): its text, and a button that plays its sound. */
function Audio({ item: { text, blob }, place }: DrawnProps) {
  const head = blobHead(blobSource(blob));
  const isPlayable = audioType(head) !== null;
  return (
    <>
      {isPlayable ? <Player place={place} /> : <SpeakerIcon />}
      <div className="audio-text">
        <ClippedText text={displayedText(text)} hasLinks />
        {head !== '' && !isPlayable && <p className="item-text">This sound cannot be played.</p>}
      </div>
    </>
  );
}

function Player({ place }: Pick<DrawnProps, 'place'>) {
  const controls = useContext(AudioControlsContext);
  const playing = controls?.playing;
  const isPlaying = playing?.message === place.message && playing.item === place.item;
  return (
    <div className="player">
      <button
        type="button"
        className="play"
        aria-label={isPlaying ? 'Stop' : 'Play'}
        title={controls === null ? 'Voice is off' : undefined}
        disabled={controls === null}
        onClick={() => (isPlaying ? controls?.stop() : controls?.play(place))}
      >
        {isPlaying ? <StopIcon /> : <PlayIcon />}
      </button>
      {isPlaying && <PlaybackProgress progress={controls?.progress ?? null} />}
    </div>
  );
}

function PlaybackProgress({ progress }: { readonly progress: SoundProgress | null }) {
  if (progress === null) return <progress className="playback-progress" aria-label="Playing" />;
  const { at, of } = progress;
  return (
    <>
      <progress
        className="playback-progress"
        aria-label="Playing"
        aria-valuetext={`${formatTime(at)} of ${formatTime(of)}`}
        value={Math.min(at, of)}
        max={of}
      />
      <span className="audio-time" aria-hidden="true">
        {formatTime(at)} / {formatTime(of)}
      </span>
    </>
  );
}

/** Formats a duration in seconds: `1:05`. */
function formatTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** The controls that play sounds; `null` where sounds cannot be played, as in the inspector. */
interface AudioControls {
  readonly playing: ItemPlace | null;
  /** The progress of the current playback; `null` when this window does not know it. */
  readonly progress: SoundProgress | null;
  readonly play: (place: ItemPlace) => void;
  readonly stop: () => void;
}

/** Provides the audio controls; `null` where sounds cannot be played. */
export const AudioControlsContext = createContext<AudioControls | null>(null);
