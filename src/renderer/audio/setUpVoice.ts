import { alertShown } from '#shared/window/alerts.ts';
import type { Bridge } from '../base/bridge.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import { followCapture } from './followCapture.ts';
import { followSound } from './followSound.ts';
import { openMicrophone } from './microphone.ts';

/** Lets main use this window's microphone and loudspeaker. */
export function setUpVoice({ parley, tools }: Bridge, { getState, dispatch }: WindowStore): void {
  const alert = (text: string) => void dispatch(alertShown({ text }));
  followCapture({ parley, tools, alert, openMicrophone });
  followSound({ tools, dispatch, conversation: () => getState().conversation });
}
