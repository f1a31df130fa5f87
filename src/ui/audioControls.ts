import { createContext } from 'react';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import type { SoundProgress } from '#shared/window/soundProgress.ts';

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
