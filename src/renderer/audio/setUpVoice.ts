import { alertShown } from '#shared/actions/windowActions.ts';
import type { Works } from '#ui/window/base/WindowCommands.ts';
import type { Bridge } from '../base/bridge.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import type { TextMemory } from '../texts/createTextMemory.ts';
import { followCapture } from './followCapture.ts';
import { followSound } from './followSound.ts';
import { openMicrophone } from './microphone.ts';
import { createReloadToRecord } from './reloadToRecord.ts';

interface Deps {
  readonly store: WindowStore;
  readonly texts: Pick<TextMemory, 'pasted'>;
  readonly works: Pick<Works, 'current'>;
  /** The page's session storage. */
  readonly storage: Storage | null;
}

const reload = () => window.location.reload();

/** Lets main use this window's microphone and loudspeaker. */
export function setUpVoice({ parley, tools }: Bridge, { store, texts, works, storage }: Deps): void {
  const { getState, dispatch } = store;
  const alert = (text: string) => void dispatch(alertShown({ text }));
  const losesSomething = () => {
    const { alerts, dialog, find, textBox } = getState().own;
    const isOpen = alerts.waiting.length > 0 || dialog !== null || find !== null;
    // The draft is stored, but not the rest of a pasted text for which the text box had no room.
    const hasRest = textBox !== null && texts.pasted.complete(textBox) !== textBox;
    return isOpen || hasRest || works.current().length > 0;
  };
  const reloadToRecord = createReloadToRecord({ tools, storage, losesSomething, reload });
  followCapture({ parley, tools, alert, openMicrophone, reloadToRecord });
  followSound({ tools, dispatch, conversation: () => getState().conversation });
}
