import type { GlobalShortcut } from 'electron';
import { recordingToggleRequested } from '#shared/actions/userActions.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';

/** Starts and stops a recording (spec §3.3). */
const RECORD_SHORTCUT = 'CommandOrControl+Return';

interface Deps {
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly listeners: Listeners;
  readonly shortcuts: Pick<GlobalShortcut, 'register' | 'unregister'>;
  /** Another program has the shortcut. Called once while the module is on. */
  readonly onTaken: () => void;
}

/**
 * Registers the shortcut with the system while the audio module is on, and a window has the focus or a recording runs, so that it stops a recording from
 * every program. At other times the keys belong to the program that has the focus.
 */
export function followShortcut({ store, listeners, shortcuts, onTaken }: Deps): void {
  let isRegistered = false;
  let isTaken = false;
  const register = () => {
    isRegistered = shortcuts.register(RECORD_SHORTCUT, () => void store.dispatch(recordingToggleRequested()));
    if (!isRegistered && !isTaken) onTaken();
    isTaken = !isRegistered;
  };
  listeners.startListening({
    predicate: (_, now, before) => isWanted(now) !== isWanted(before) || now.audio.isOn !== before.audio.isOn,
    effect(_, { getState }) {
      const state = getState();
      if (!state.audio.isOn) isTaken = false;
      if (isWanted(state) === isRegistered) return;
      if (!isRegistered) return register();
      shortcuts.unregister(RECORD_SHORTCUT);
      isRegistered = false;
    },
  });
}

const isWanted = ({ audio, attention }: ReturnType<MainStore['getState']>): boolean =>
  audio.isOn && (attention.isWatched || audio.isRecording);
