import { decodeUpdate } from '#shared/protocol/update.ts';
import type { ToolsReceived } from '#shared/ipc/channels.ts';
import type { AudioWindow } from '#main/window/messengerWindows.ts';
import { sessionEnded, sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import { attentionGained, noticeRaised } from '#shared/actions/mainActions.ts';
import { windowOf } from '#shared/store/openWindows.ts';
import { type MainStoreOptions, mainStore } from './mainStore.ts';

/** A window, and what main sent to it on the channels that Parley adds. */
interface TestAudioWindow extends AudioWindow {
  readonly sent: (readonly [channel: keyof ToolsReceived, ...args: unknown[]])[];
  /** Destroys its page. */
  destroyPage(): void;
  /** Returns the number of `onGone` listeners. */
  watchers(): number;
}

function testWindow(id: number): TestAudioWindow {
  const sent: TestAudioWindow['sent'] = [];
  const watchers = new Set<() => void>();
  return {
    id,
    sent,
    send: (channel, ...args: readonly unknown[]) => void sent.push([channel, ...args]),
    onGone(task) {
      watchers.add(task);
      return () => watchers.delete(task);
    },
    destroyPage: () => [...watchers].forEach((task) => task()),
    watchers: () => watchers.size,
  };
}

interface Options extends MainStoreOptions {
  readonly isAudioOn?: boolean;
  /** Whether a window has the focus. */
  readonly isWatched?: boolean;
  /** Whether another program has the shortcut. */
  readonly isShortcutTaken?: boolean;
  /** The number of windows. */
  readonly windows?: number;
  /** The number of windows whose page has loaded; all by default. */
  readonly loaded?: number;
}

/** Creates the audio module with the real store and listeners, on a clock that the test advances. */
export async function mainAudio({
  isAudioOn = true,
  isWatched = true,
  isShortcutTaken = false,
  windows: count = 2,
  loaded = count,
  ...options
}: Options = {}) {
  const main = await mainStore(options);
  const { store, listeners, clock } = main;
  const { setUpAudio } = await import('#main/audio/setUpAudio.ts');
  const { performAudioActions } = await import('#main/actions/performUserActions.ts');
  const shortcuts = new Map<string, () => void>();
  const windows = Array.from({ length: count }, (_, id) => testWindow(id + 1));
  const sent: unknown[][] = [];
  const setting = { isAudioOn };
  const audio = setUpAudio({
    store,
    listeners,
    clock,
    isAudioOn: () => setting.isAudioOn,
    windows: () => windows,
    sendToWindows: (channel, ...args) => void sent.push([channel, ...args]),
    shortcuts: {
      register(accelerator, press) {
        if (!isShortcutTaken) shortcuts.set(accelerator, press);
        return !isShortcutTaken;
      },
      unregister: (accelerator) => void shortcuts.delete(accelerator),
    },
  });
  performAudioActions({
    listeners,
    audio,
    windowFor: (act) => windows.find(({ id }) => id === windowOf(act)) ?? windows[0],
  });
  const notes: string[] = [];
  listeners.startListening({
    actionCreator: noticeRaised,
    effect: ({ payload: { text } }) => void notes.push(text),
  });
  if (isWatched) store.dispatch(attentionGained());
  for (const window of windows.slice(0, loaded)) audio.loaded(window);
  return {
    ...main,
    audio,
    windows,
    /** The notices for every window. */
    notes,
    /** What main sent to every window on the channels of spec §6.3. */
    sent,
    /** Returns what was sent so far, and clears it. */
    takeSent: () => sent.splice(0),
    shortcuts,
    setting,
    state: () => store.getState().audio,
    launch: () => void store.dispatch(sessionLaunched({ launchedAt: clock.now() })),
    endSession: () => void store.dispatch(sessionEnded()),
    /** Applies an update, as at its tick. */
    apply(frame: object) {
      const update = decodeUpdate(JSON.stringify(frame));
      if (update.kind === 'rejected') throw new Error(`not an update: ${update.where ?? update.reason}`);
      store.dispatch(updateApplied({ update, bytes: 0, tick: 0 }));
    },
    press: () => shortcuts.get('CommandOrControl+Return')?.(),
  };
}
