import { displayedText } from '#shared/conversation/display.ts';
import { audioType } from '#shared/mediaType.ts';
import { ClippedText } from './base/ClippedText.tsx';
import { PlayIcon, SpeakerIcon, StopIcon } from './base/icons.tsx';

/** How far a sound is, in seconds. */
export interface Progress {
  readonly at: number;
  /** Its length. */
  readonly of: number;
}

interface Props {
  readonly text: string;
  /** Base64, or its beginning; empty when there is nothing to be heard. */
  readonly head: string;
  readonly isPlaying: boolean;
  /** While it plays, unless it is not known here. */
  readonly progress: Progress | null;
  /** Left out where nothing can be played. */
  readonly onPlay?: (() => void) | undefined;
  readonly onStop?: (() => void) | undefined;
}

/** Audio (spec §2.4): its text, and its sound with a button to hear it. */
export function AudioItem({ text, head, ...player }: Props) {
  const isPlayable = audioType(head) !== null;
  return (
    <>
      {isPlayable ? <Player {...player} /> : <SpeakerIcon />}
      <div className="audio-words">
        <ClippedText text={displayedText(text)} />
        {head !== '' && !isPlayable && <p className="words">This sound cannot be played.</p>}
      </div>
    </>
  );
}

function Player({ isPlaying, progress, onPlay, onStop }: Omit<Props, 'text' | 'head'>) {
  return (
    <div className="player">
      <button
        type="button"
        className="play"
        aria-label={isPlaying ? 'Stop' : 'Play'}
        title={onPlay === undefined ? 'Voice is off' : undefined}
        disabled={onPlay === undefined}
        onClick={isPlaying ? onStop : onPlay}
      >
        {isPlaying ? <StopIcon /> : <PlayIcon />}
      </button>
      {isPlaying && <Course progress={progress} />}
    </div>
  );
}

function Course({ progress }: { readonly progress: Progress | null }) {
  if (progress === null) return <progress className="course" aria-label="Playing" />;
  const { at, of } = progress;
  return (
    <>
      <progress
        className="course"
        aria-label="Playing"
        aria-valuetext={`${clockOf(at)} of ${clockOf(of)}`}
        value={Math.min(at, of)}
        max={of}
      />
      <span className="audio-time" aria-hidden="true">
        {clockOf(at)} / {clockOf(of)}
      </span>
    </>
  );
}

/** `1:05` */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
