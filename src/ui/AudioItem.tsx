import { displayedText } from '#shared/conversation/display.ts';
import type { SoundProgress } from '#shared/window/soundProgress.ts';
import { audioType } from '#shared/image/mediaType.ts';
import { ClippedText } from './base/ClippedText.tsx';
import { PlayIcon, SpeakerIcon, StopIcon } from './base/icons.tsx';

interface Props {
  readonly text: string;
  /** The sound's base64, or its beginning; empty when there is no sound. */
  readonly head: string;
  readonly isPlaying: boolean;
  /** Set while the sound plays, if this window knows the progress. */
  readonly progress: SoundProgress | null;
  /** `undefined` where sounds cannot be played. */
  readonly onPlay?: (() => void) | undefined;
  readonly onStop?: (() => void) | undefined;
}

/** Shows audio (spec §2.4): its text, and a button that plays its sound. */
export function AudioItem({ text, head, ...player }: Props) {
  const isPlayable = audioType(head) !== null;
  return (
    <>
      {isPlayable ? <Player {...player} /> : <SpeakerIcon />}
      <div className="audio-text">
        <ClippedText text={displayedText(text)} hasLinks />
        {head !== '' && !isPlayable && <p className="item-text">This sound cannot be played.</p>}
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
      {isPlaying && <PlaybackProgress progress={progress} />}
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
export function formatTime(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
