import type { Progress } from '#ui/AudioItem.tsx';
import type { Bridge } from '../base/bridge.ts';
import type { Cell } from '../base/cell.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import { followCapture } from './followCapture.ts';
import { followSound } from './followSound.ts';
import { openMicrophone } from './microphone.ts';

interface Deps {
  readonly bridge: Bridge;
  readonly store: Pick<WindowStore, 'getState'>;
  readonly alert: (text: string) => void;
  readonly note: (text: string) => void;
}

/** Lets main use this window's microphone and loudspeaker. Returns a cell with the progress of this window's playback. */
export function setUpVoice({ bridge: { parley, tools }, store, alert, note }: Deps): Cell<Progress | null> {
  followCapture({ parley, tools, alert, openMicrophone });
  return followSound({ tools, note, conversation: () => store.getState().conversation });
}
