import { createContext } from 'react';
import type { ItemPlace } from '#shared/conversation/sounds.ts';
import type { Progress } from './AudioItem.tsx';

/** What the sounds of a conversation can be played with; `null` where they cannot, as in the inspector. */
export interface AudioControls {
  readonly playing: ItemPlace | null;
  /** How far the one that plays is; `null` when that is not known here. */
  readonly progress: Progress | null;
  readonly play: (place: ItemPlace) => void;
  readonly stop: () => void;
}

export const AudioControlsContext = createContext<AudioControls | null>(null);
